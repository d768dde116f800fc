package import SockeyeCore
import SockeyeHTTP
import SockeyePlatform

/// An incremental splitter of content into lines that end in LF or CRLF. The last line may have no end.
///
/// ``append(_:)`` takes bytes, and ``next()`` steps from line to line until it needs more bytes. A line within one
/// chunk is not copied; a line that spans chunks is copied. A line above the limit is an error. A CR without LF belongs
/// to its line. Only at the end of the content does a CR count as a CRLF that was cut off.
package struct LineSplitter: Sendable {
    private let limit: Int
    /// The chunk, and the position of the next line in it.
    private var input: ChunkWindow
    /// The range of the current line in the chunk, without the line end.
    private var place = 0..<0
    /// The start of an incomplete line. If ``isJoined`` is true, the whole current line.
    private var carriedOver: [UInt8] = []
    private var isJoined = false
    /// The number of the current line, counted from 1.
    package private(set) var number = 0

    /// The maximum capacity that is kept from one copied line to the next.
    private static let spareCapacity = 64 << 10

    /// The window, in bytes, for readers of JSON texts and of events. These readers let other tasks run between two
    /// windows. The window is small, because splitting a window of empty lines takes some milliseconds in a debug
    /// build.
    package static let usualWindow = 4096

    /// - Parameters:
    ///   - limit: The maximum number of bytes of a line, without its end.
    ///   - window: The length of a window in bytes. After the last line that begins in a window, ``next()`` returns
    ///     false; see ``resume()``.
    package init(limit: Int, window: Int = .max) {
        self.limit = limit
        input = ChunkWindow(length: window)
    }

    /// Adds a chunk. May be called only after ``next()`` and ``resume()`` have both returned false.
    package mutating func append(_ bytes: Bytes) {
        input.append(bytes)
    }

    /// Continues with the next window of the chunk, once ``next()`` has returned false.
    ///
    /// - Returns: False if the chunk is used up, so that ``append(_:)`` or ``finish()`` must follow.
    package mutating func resume() -> Bool {
        input.advance()
    }

    /// Steps to the next line. False if the line is incomplete, or at the end of a window (see ``resume()``).
    package mutating func next() throws(StreamFault) -> Bool {
        if isJoined { dropJoined() }
        guard input.position < input.end else { return false }
        guard let end = lineFeed() else {
            try keep(upTo: input.chunk.count)
            return false
        }
        if carriedOver.isEmpty {
            let last = end > input.position && isCarriageReturn(at: end &- 1) ? end &- 1 : end
            guard last &- input.position <= limit else { throw .lineTooLong(limit: limit) }
            place = input.position..<last
        } else {
            try keep(upTo: end)
            isJoined = true
            if carriedOver.last == ByteClass.carriageReturn { carriedOver.removeLast() }
        }
        input.position = end &+ 1
        number &+= 1
        return true
    }

    /// Calls `body` for each line that begins in the rest of the window and ends in the chunk. Calling ``next()`` for
    /// each line would take about twice as long, because the call itself costs as much as finding the line end.
    package mutating func forEachWholeLine(to body: (Span<UInt8>) throws -> Void) throws {
        if isJoined { dropJoined() }
        guard carriedOver.isEmpty else { return }
        var (start, count) = (input.position, number)
        defer { (input.position, number) = (start, count) }
        let (whole, stop) = (input.chunk, input.end)
        try unsafe whole.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            while start < stop,
                let end = unsafe SystemMemory.offset(of: ByteClass.lineFeed, in: base, from: start, to: bytes.count)
            {
                let hasReturn = unsafe end > start && bytes[end &- 1] == ByteClass.carriageReturn
                let line = start..<(hasReturn ? end &- 1 : end)
                guard line.count <= limit else { throw StreamFault.lineTooLong(limit: limit) }
                start = end &+ 1
                count &+= 1
                try body(whole.span.extracting(line))
            }
        }
    }

    /// Steps to the text after the last line end, once the content has ended. False if there is no such text.
    package mutating func finish() -> Bool {
        if isJoined { dropJoined() }
        guard !carriedOver.isEmpty else { return false }
        isJoined = true
        if carriedOver.last == ByteClass.carriageReturn { carriedOver.removeLast() }
        number &+= 1
        return true
    }

    private func lineFeed() -> Int? {
        let (start, end) = (input.position, input.chunk.count)
        return unsafe input.chunk.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            return unsafe SystemMemory.offset(of: ByteClass.lineFeed, in: base, from: start, to: end)
        }
    }

    private func isCarriageReturn(at index: Int) -> Bool {
        unsafe input.chunk.withUnsafeBytes { unsafe $0[index] == ByteClass.carriageReturn }
    }

    /// Stores the start of an incomplete line. A CR at the end of the stored bytes may belong to the line end, so the
    /// CR does not count for the limit.
    private mutating func keep(upTo end: Int) throws(StreamFault) {
        let piece = input.chunk.slice(input.position..<end)
        let last = piece.last ?? carriedOver.last
        let length = carriedOver.count + piece.count - (last == ByteClass.carriageReturn ? 1 : 0)
        guard length <= limit else { throw .lineTooLong(limit: limit) }
        carriedOver.append(contentsOf: piece)
        input.position = end
    }

    private mutating func dropJoined() {
        carriedOver.removeAll(keepingCapacity: carriedOver.capacity <= Self.spareCapacity)
        isJoined = false
    }

    // MARK: The current line

    /// The current line. It is not copied if it is within one chunk.
    package var bytes: Bytes { isJoined ? Bytes(carriedOver) : input.chunk.slice(place) }

    /// The current line as text. Bytes that are not UTF-8 become U+FFFD.
    package var text: String {
        if isJoined { return String(decoding: carriedOver, as: UTF8.self) }
        let place = place
        return unsafe input.chunk.withUnsafeBytes { bytes in
            unsafe String(decoding: UnsafeRawBufferPointer(rebasing: bytes[place]), as: UTF8.self)
        }
    }

    /// Calls `body` with the bytes of the current line.
    package func withSpan(_ body: (Span<UInt8>) throws -> Void) rethrows {
        if isJoined { return try body(carriedOver.span) }
        let whole = input.chunk
        try body(whole.span.extracting(place))
    }
}
