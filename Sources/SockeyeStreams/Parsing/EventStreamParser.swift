package import SockeyeCore
import SockeyeHTTP
import SockeyePlatform

/// An incremental parser of `text/event-stream` (HTML Standard, 9.2.5 and 9.2.6).
///
/// Lines end in LF, CR or CRLF, even if a CRLF spans two chunks. Text is decoded field by field, with the same result
/// as decoding the whole stream, because no multi-byte character of UTF-8 contains the byte of a line end, colon or
/// space. An event without its final empty line is never returned.
package struct EventStreamParser: Sendable {
    private let limits: ServerSentEvent.Limits
    private var input: ChunkWindow
    /// The number of lines so far, including comments and empty lines.
    package private(set) var lineCount = 0
    /// The start of an incomplete line from earlier chunks.
    private var kept: [UInt8] = []
    /// True if the last byte was a CR, so that an LF belongs to the same line end.
    private var followsCarriageReturn = false
    /// The number of bytes of a byte order mark read so far at the start of the stream. Nil once the mark is complete
    /// or turns out to be missing.
    private var markCount: Int? = 0

    private var event = PartialEvent()
    /// The value of the latest `id` field; at the next empty line it becomes ``lastEventID``. Nil after that line.
    private var pendingID: String?
    /// The last event ID, with which a reconnection continues. The ID of an incomplete event does not count.
    package private(set) var lastEventID: String
    /// The reconnection time that the stream set last. It takes effect at the end of its line, not at the end of the
    /// event.
    package private(set) var retry: Duration?

    /// - Parameters:
    ///   - lastEventID: The last event ID of the earlier connection that this stream continues.
    ///   - window: The number of bytes after which ``next()`` returns nil at the end of the current line; see
    ///     ``resume()``.
    package init(
        limits: ServerSentEvent.Limits = ServerSentEvent.Limits(), lastEventID: String = "", window: Int = .max
    ) {
        self.limits = limits
        input = ChunkWindow(length: window)
        self.lastEventID = lastEventID
    }

    /// Adds a chunk. Before each chunk except the first, ``next()`` must have returned nil and ``resume()`` false.
    package mutating func append(_ bytes: Bytes) {
        input.append(bytes)
    }

    /// Continues with the next window of the chunk, once ``next()`` has returned nil.
    ///
    /// - Returns: False if the chunk is used up, so that ``append(_:)`` must follow.
    package mutating func resume() -> Bool {
        input.advance()
    }

    /// Returns the next event; nil if the event is incomplete, or at the end of a window (see ``resume()``).
    package mutating func next() throws(StreamFault) -> ServerSentEvent? {
        if markCount != nil { skipByteOrderMark() }
        while input.position < input.end {
            if followsCarriageReturn {
                followsCarriageReturn = false
                if input.chunk[input.position] == ByteClass.lineFeed {
                    input.position += 1
                    continue
                }
            }
            let (start, end) = (input.position, lineEnd())
            guard end < input.chunk.count else {
                try keep(start..<end)
                return nil
            }
            input.position = end + 1
            lineCount &+= 1
            followsCarriageReturn = input.chunk[end] == ByteClass.carriageReturn
            if let event = try endLine(start..<end) { return event }
        }
        return nil
    }

    /// Skips a byte order mark, which is not content. The bytes of an incomplete mark are content.
    private mutating func skipByteOrderMark() {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        while let count = markCount, input.position < input.chunk.count {
            guard input.chunk[input.position] == mark[count] else {
                kept += mark[..<count]
                markCount = nil
                return
            }
            input.position += 1
            markCount = count == 2 ? nil : count + 1
        }
    }

    // MARK: Lines

    private func lineEnd() -> Int {
        let (start, end) = (input.position, input.chunk.count)
        return unsafe input.chunk.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return end }
            return unsafe ByteScan.firstLineEnd(base, from: start, to: end)
        }
    }

    private mutating func keep(_ range: Range<Int>) throws(StreamFault) {
        guard kept.count + range.count <= limits.lineBytes else { throw .lineTooLong(limit: limits.lineBytes) }
        kept.append(contentsOf: input.chunk.slice(range))
        input.position = range.upperBound
    }

    private mutating func endLine(_ range: Range<Int>) throws(StreamFault) -> ServerSentEvent? {
        guard kept.isEmpty else {
            guard kept.count + range.count <= limits.lineBytes else { throw .lineTooLong(limit: limits.lineBytes) }
            kept.append(contentsOf: input.chunk.slice(range))
            let line = kept
            kept = []
            try interpret(line.span)
            return nil
        }
        guard !range.isEmpty else { return dispatch() }
        guard range.count <= limits.lineBytes else { throw .lineTooLong(limit: limits.lineBytes) }
        let whole = input.chunk
        try interpret(whole.span.extracting(range))
        return nil
    }

    // MARK: Fields

    /// Interprets a line that is not empty: a comment or a field.
    private mutating func interpret(_ line: Span<UInt8>) throws(StreamFault) {
        guard line[0] != UInt8(ascii: ":") else { return }
        event.size += line.count + 1
        guard event.size <= limits.eventBytes else { throw .eventTooLarge(limit: limits.eventBytes) }
        var colon = 0
        while colon < line.count, line[colon] != UInt8(ascii: ":") { colon += 1 }
        var start = min(colon + 1, line.count)
        if start < line.count, line[start] == ByteClass.space { start += 1 }
        let value = line.extracting(start..<line.count)
        switch LineName(line.extracting(0..<colon)) {
        case .data: event.append(value)
        case .event: event.name = Self.text(value)
        case .id: try setID(value)
        case .retry: setRetry(value)
        case nil: break
        }
    }

    private enum LineName {
        case data, event, id, retry

        init?(_ name: Span<UInt8>) {
            switch name.count {
            case 2 where Self.equals(name, "id"): self = .id
            case 4 where Self.equals(name, "data"): self = .data
            case 5 where Self.equals(name, "event"): self = .event
            case 5 where Self.equals(name, "retry"): self = .retry
            default: return nil
            }
        }

        private static func equals(_ name: Span<UInt8>, _ other: StaticString) -> Bool {
            unsafe name.withUnsafeBytes { name in
                unsafe SystemMemory.isEqual(name.baseAddress!, other.utf8Start, count: other.utf8CodeUnitCount)
            }
        }
    }

    private mutating func setID(_ value: Span<UInt8>) throws(StreamFault) {
        guard value.count <= limits.idBytes else { throw .eventIDTooLong(limit: limits.idBytes) }
        for index in value.indices where value[index] == 0 { return }
        pendingID = Self.text(value)
    }

    /// Sets the reconnection time from digits; ignores any other value. Large numbers are capped.
    private mutating func setRetry(_ value: Span<UInt8>) {
        guard !value.isEmpty else { return }
        var milliseconds: Int64 = 0
        for index in value.indices {
            guard ByteClass.isDigit(value[index]) else { return }
            milliseconds = min(milliseconds * 10 + Int64(value[index] &- 0x30), Self.longestRetry)
        }
        event.retry = .milliseconds(milliseconds)
        retry = event.retry
    }

    /// About thirty thousand years, in milliseconds.
    private static let longestRetry: Int64 = 1_000_000_000_000_000

    private static func text(_ bytes: Span<UInt8>) -> String {
        unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Handles an empty line: completes the event if it has data.
    private mutating func dispatch() -> ServerSentEvent? {
        if let id = pendingID {
            lastEventID = id
            pendingID = nil
        }
        return event.take(id: lastEventID)
    }
}

/// The buffers of an event until its empty line.
private struct PartialEvent: Sendable {
    /// The type; empty for the default type.
    var name = ""
    var retry: Duration?
    /// The number of bytes of the event's lines.
    var size = 0
    private var data: [UInt8] = []
    private var hasData = false

    /// The maximum capacity that is kept from one event to the next.
    static let spareCapacity = 64 << 10

    mutating func append(_ value: Span<UInt8>) {
        if hasData { data.append(ByteClass.lineFeed) }
        hasData = true
        unsafe value.withUnsafeBufferPointer { unsafe data.append(contentsOf: $0) }
    }

    mutating func take(id: String) -> ServerSentEvent? {
        defer {
            name = ""
            retry = nil
            size = 0
        }
        guard hasData else { return nil }
        let event = ServerSentEvent(
            name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self), id: id, retry: retry)
        data.removeAll(keepingCapacity: data.capacity <= Self.spareCapacity)
        hasData = false
        return event
    }
}
