import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP

extension IncomingResponse.Body {
    /// The most bytes of a line that the readers of lines accept unless told otherwise: 1 MiB.
    public static let defaultLineLimit = 1 << 20

    /// The content as lines of text, read as you iterate: a single pass, like the body itself.
    ///
    /// ```swift
    /// for try await line in response.body.lines { print(line) }
    /// ```
    ///
    /// Lines end in LF or CRLF, which are not part of them; the last may have no end. An empty line is an empty string. The text is
    /// taken for UTF-8, whatever Content-Type says; bytes that are not become U+FFFD. A line may have
    /// ``defaultLineLimit`` bytes.
    public var lines: Lines { lines(limit: Self.defaultLineLimit) }

    /// The content as lines of text. See ``lines-swift.property``.
    ///
    /// - Parameter limit: The most bytes of a line, without its end. A longer one is
    ///   ``SockeyeError/Code-swift.struct/limitExceeded`` as soon as that much of it is here.
    public func lines(limit: Int) -> Lines { Lines(body: self, limit: limit) }

    /// The content as lines of bytes, without a copy of those that came in one piece. Otherwise as ``lines-swift.property``.
    ///
    /// A line refers to the memory of the chunk that it came in: to keep a few of many, keep their
    /// ``Bytes/compacted()``.
    public var byteLines: ByteLines { byteLines(limit: Self.defaultLineLimit) }

    /// The content as lines of bytes. See ``byteLines-swift.property``.
    ///
    /// - Parameter limit: The most bytes of a line, without its end; more are
    ///   ``SockeyeError/Code-swift.struct/limitExceeded``.
    public func byteLines(limit: Int) -> ByteLines { ByteLines(body: self, limit: limit) }

    /// Calls a closure with each line, where it lies in memory: without an allocation or a
    /// reference count for each.
    ///
    /// ```swift
    /// var errors = 0
    /// try await response.body.forEachLine { line in if line.count > 5, line[0] == UInt8(ascii: "E") { errors += 1 } }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: The most bytes of a line, without its end. Default ``defaultLineLimit``.
    ///   - body: Called with the bytes of a line, without its end. What it throws ends the reading.
    /// - Throws: ``SockeyeError/Code-swift.struct/limitExceeded`` for a longer line, what reading the body throws, and what
    ///   the closure throws.
    public func forEachLine(limit: Int = defaultLineLimit, _ body: (Span<UInt8>) throws -> Void) async throws {
        var reader = LineReader(self, limit: limit)
        while try await reader.advance() { try reader.lendLines(to: body) }
    }

    /// See ``IncomingResponse/Body/lines-swift.property``.
    public struct Lines: AsyncSequence, Sendable {
        /// A line.
        public typealias Element = String
        /// Iterating throws the library's error only.
        public typealias Failure = SockeyeError

        let body: IncomingResponse.Body
        let limit: Int

        /// Starts the one pass over the body.
        public func makeAsyncIterator() -> Iterator { Iterator(reader: LineReader(body, limit: limit)) }

        /// Reads line by line.
        public struct Iterator: AsyncIteratorProtocol {
            var reader: LineReader

            /// The next line, or nil at the end.
            ///
            /// - Throws: ``SockeyeError/Code-swift.struct/limitExceeded`` for a line that is too long, and what reading the
            ///   body throws. Cancelling the task ends it promptly and closes the connection.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(SockeyeError) -> String? {
                if try reader.step() { return reader.text }
                return try await reader.advance() ? reader.text : nil
            }

            /// The next line, or nil at the end. See ``next(isolation:)``.
            public mutating func next() async throws(SockeyeError) -> String? { try await next(isolation: #isolation) }
        }
    }

    // A type of its own beside `Lines`: iterators that are generic over what a line becomes are not specialized where other
    // modules call them.

    /// See ``IncomingResponse/Body/byteLines-swift.property``.
    public struct ByteLines: AsyncSequence, Sendable {
        /// A line.
        public typealias Element = Bytes
        /// Iterating throws the library's error only.
        public typealias Failure = SockeyeError

        let body: IncomingResponse.Body
        let limit: Int

        /// Starts the one pass over the body.
        public func makeAsyncIterator() -> Iterator { Iterator(reader: LineReader(body, limit: limit)) }

        /// Reads line by line.
        public struct Iterator: AsyncIteratorProtocol {
            var reader: LineReader

            /// The next line, or nil at the end. Throws what ``IncomingResponse/Body/Lines/Iterator/next(isolation:)`` throws.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(SockeyeError) -> Bytes? {
                if try reader.step() { return reader.bytes }
                return try await reader.advance() ? reader.bytes : nil
            }

            /// The next line, or nil at the end. See ``next(isolation:)``.
            public mutating func next() async throws(SockeyeError) -> Bytes? { try await next(isolation: #isolation) }
        }
    }
}

/// A line splitter with the body that feeds it.
struct LineReader {
    private var source: RecordSource
    private var splitter: LineSplitter
    /// Counts lines in place of bytes, once for all lines of a window: a count for each line would cost as much as the line.
    private var turn = TurnBudget(bytes: 4096)
    private var countedLines = 0
    /// Larger than the window of other readers: a line takes a few nanoseconds, so that more pauses would be noticeable.
    private static let window = 16 << 10

    init(_ body: IncomingResponse.Body, limit: Int) {
        source = RecordSource(body)
        splitter = LineSplitter(limit: limit, window: Self.window)
    }

    var text: String { splitter.text }
    var bytes: Bytes { splitter.bytes }

    /// Steps to the next line of the window. False: it is not there.
    mutating func step() throws(SockeyeError) -> Bool {
        do throws(StreamFault) {
            return try splitter.next()
        } catch {
            throw source.fail(SockeyeError(error))
        }
    }

    /// Steps to the next line, which is waited for. False: there is none.
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

    /// Lends the current line, and those that follow it in the window.
    ///
    /// Not inlined: inside of the coroutine that calls it, it makes the optimizer of Swift 6.3.1 crash in a release build.
    @inline(never)
    mutating func lendLines(to body: (Span<UInt8>) throws -> Void) throws {
        try splitter.withSpan(body)
        do {
            try splitter.lendWholeLines(to: body)
        } catch let fault as StreamFault {
            throw source.fail(SockeyeError(fault))
        }
    }
}
