import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP

extension IncomingResponse.Body {
    /// The default maximum of a line's length in bytes: 1 MiB.
    public static let defaultLineLimit = 1 << 20

    /// The content as lines of text, which are read during the iteration. Like the body itself, they can be iterated
    /// only once.
    ///
    /// ```swift
    /// for try await line in response.body.lines { print(line) }
    /// ```
    ///
    /// Lines end with LF or CRLF, which are not included; the last line may have no end. An empty line is an empty
    /// string. The text is read as UTF-8, whatever the Content-Type; invalid bytes become U+FFFD. A line may have at
    /// most ``defaultLineLimit`` bytes.
    public var lines: Lines { lines(limit: Self.defaultLineLimit) }

    /// The content as lines of text. See ``lines-swift.property``.
    ///
    /// - Parameter limit: The maximum length of a line in bytes, without its end. A longer line throws
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/limitExceeded``.
    public func lines(limit: Int) -> Lines { Lines(body: self, limit: limit) }

    /// The content as lines of bytes, which can be iterated only once. Line ends and maximum length are those of
    /// ``lines-swift.property``.
    ///
    /// A line that arrived in one piece is not copied: it refers to the memory of the chunk in which it arrived, and
    /// keeps the whole chunk in memory. If you keep only a few of many lines, keep copies of them
    /// (``/Sockeye/Bytes/compacted()``).
    public var byteLines: ByteLines { byteLines(limit: Self.defaultLineLimit) }

    /// The content as lines of bytes. See ``byteLines-swift.property``.
    ///
    /// - Parameter limit: The maximum length of a line in bytes, without its end. A longer line throws
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/limitExceeded``.
    public func byteLines(limit: Int) -> ByteLines { ByteLines(body: self, limit: limit) }

    /// Calls a closure with the memory of each line, without an allocation or reference count per line.
    ///
    /// ```swift
    /// var errors = 0
    /// try await response.body.forEachLine { line in
    ///     if line.count > 5, line[0] == UInt8(ascii: "E") { errors += 1 }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: The maximum length of a line in bytes, without its end. Default ``defaultLineLimit``.
    ///   - body: Called with the bytes of a line, without its end. An error that it throws ends the reading.
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/limitExceeded`` for a longer line, the errors of reading
    ///   the body, and those of the closure.
    public func forEachLine(limit: Int = defaultLineLimit, _ body: (Span<UInt8>) throws -> Void) async throws {
        var reader = LineReader(self, limit: limit)
        while try await reader.advance() { try reader.lendLines(to: body) }
    }

    /// See ``IncomingResponse/Body/lines-swift.property``.
    public struct Lines: AsyncSequence, Sendable {
        /// A line.
        public typealias Element = String
        /// The error type of the iteration.
        public typealias Failure = SockeyeError

        let body: IncomingResponse.Body
        let limit: Int

        /// Starts the only pass over the body.
        public func makeAsyncIterator() -> Iterator { Iterator(reader: LineReader(body, limit: limit)) }

        /// Reads line by line.
        public struct Iterator: AsyncIteratorProtocol {
            var reader: LineReader

            /// Returns the next line, or nil at the end.
            ///
            /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/limitExceeded`` for a line that is too long, and the
            ///   errors of reading the body. Cancelling the task ends the iteration promptly and closes the connection.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(SockeyeError) -> String? {
                if try reader.step() { return reader.text }
                return try await reader.advance() ? reader.text : nil
            }

            /// Returns the next line, or nil at the end. See ``next(isolation:)``.
            public mutating func next() async throws(SockeyeError) -> String? { try await next(isolation: #isolation) }
        }
    }

    // A separate type beside `Lines`: an iterator that is generic over the type of a line would be slow, because it is
    // not specialized when other modules call it.

    /// See ``IncomingResponse/Body/byteLines-swift.property``.
    public struct ByteLines: AsyncSequence, Sendable {
        /// A line.
        public typealias Element = Bytes
        /// The error type of the iteration.
        public typealias Failure = SockeyeError

        let body: IncomingResponse.Body
        let limit: Int

        /// Starts the only pass over the body.
        public func makeAsyncIterator() -> Iterator { Iterator(reader: LineReader(body, limit: limit)) }

        /// Reads line by line.
        public struct Iterator: AsyncIteratorProtocol {
            var reader: LineReader

            /// Returns the next line, or nil at the end. Throws the same errors as
            /// ``IncomingResponse/Body/Lines/Iterator/next(isolation:)``.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(SockeyeError) -> Bytes? {
                if try reader.step() { return reader.bytes }
                return try await reader.advance() ? reader.bytes : nil
            }

            /// Returns the next line, or nil at the end. See ``next(isolation:)``.
            public mutating func next() async throws(SockeyeError) -> Bytes? { try await next(isolation: #isolation) }
        }
    }
}

/// A line splitter and the body that feeds it.
struct LineReader {
    private var source: RecordSource
    private var splitter: LineSplitter
    /// The budget after which other tasks may run: 4096 lines or 256 windows (see ``window``), whichever comes first.
    /// The bytes of the ``TurnBudget`` stand for lines, and its units (256 by default) for windows. The lines of a
    /// window are counted together, because counting each line separately would cost as much as splitting it.
    private var turn = TurnBudget(bytes: 4096)
    private var countedLines = 0
    /// The number of bytes of a chunk after which the splitter returns to ``advance()``. Larger than
    /// ``LineSplitter/usualWindow``: splitting a line takes only a few nanoseconds, so more frequent returns would slow
    /// down reading noticeably.
    private static let window = 16 << 10

    init(_ body: IncomingResponse.Body, limit: Int) {
        source = RecordSource(body)
        splitter = LineSplitter(limit: limit, window: Self.window)
    }

    var text: String { splitter.text }
    var bytes: Bytes { splitter.bytes }

    /// Moves to the next line of the window. Returns false if the window has no further complete line.
    mutating func step() throws(SockeyeError) -> Bool {
        do throws(StreamFault) {
            return try splitter.next()
        } catch {
            // Drops the line that is too long. Otherwise another call would find it again.
            splitter = LineSplitter(limit: 0)
            throw source.fail(SockeyeError(error))
        }
    }

    /// Moves to the next line and waits for it. Returns false at the end of the body.
    mutating func advance() async throws(SockeyeError) -> Bool {
        while !source.isOver {
            if try step() { return true }
            if turn.spend(splitter.number - countedLines) { await Task.yield() }
            countedLines = splitter.number
            if splitter.resume() { continue }
            guard let chunk = try await source.next() else { return splitter.finish() }
            splitter.append(chunk)
        }
        return false
    }

    /// Passes the current line, and the lines after it in the window, to a closure.
    ///
    /// Not inlined: as a part of the calling coroutine, this method makes the optimizer of Swift 6.3.1 crash in a
    /// release build.
    @inline(never)
    mutating func lendLines(to body: (Span<UInt8>) throws -> Void) throws {
        try splitter.withSpan(body)
        do {
            try splitter.forEachWholeLine(to: body)
        } catch let fault as StreamFault {
            throw source.fail(SockeyeError(fault))
        }
    }
}
