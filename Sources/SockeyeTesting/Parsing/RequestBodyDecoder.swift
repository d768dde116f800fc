import SockeyeCore

/// Decodes the content after a request head (RFC 9112 sections 6 and 7). Performs no I/O.
struct RequestBodyDecoder {
    /// The meaning of the bytes at the start of the buffer.
    enum Step: Sendable {
        /// `count` bytes of content, after `skipped` bytes of framing.
        case content(skipped: Int, count: Int)
        /// No content yet. The first `used` bytes (possibly 0) are framing; bytes after them are incomplete framing.
        case needsMore(used: Int)
        /// The end of the message, after this many bytes of framing.
        case end(used: Int)
    }

    private enum State {
        case content(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailers
        case done
    }

    /// The maximum size of a chunk-size line in bytes, including extensions.
    private static let lineLimit = 4 << 10

    private var state: State
    private(set) var trailers: [(name: String, value: String)] = []
    /// The offset in the trailers from which the next call searches for the empty line that ends them.
    private var searched = 0

    init(_ framing: ReceivedRequestHead.Framing) {
        state =
            switch framing {
            case .none, .length(0): .done
            case .length(let length): .content(remaining: length)
            case .chunked: .chunkSize
            }
    }

    var isDone: Bool {
        if case .done = state { true } else { false }
    }

    /// Returns the meaning of the start of `buffer`. Before the next call, the caller consumes the bytes that the step
    /// counts.
    mutating func next(_ buffer: UnsafeRawBufferPointer) throws(MalformedRequest) -> Step {
        var used = 0
        while true {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[used...])
            switch state {
            case .done:
                return .end(used: used)
            case .content(let remaining):
                guard unsafe !rest.isEmpty else { return .needsMore(used: used) }
                let count = min(remaining, rest.count)
                state = count == remaining ? .done : .content(remaining: remaining - count)
                return .content(skipped: used, count: count)
            case .chunk(let remaining):
                guard unsafe !rest.isEmpty else { return .needsMore(used: used) }
                let count = min(remaining, rest.count)
                state = count == remaining ? .chunkEnd : .chunk(remaining: remaining - count)
                return .content(skipped: used, count: count)
            case .chunkEnd:
                guard rest.count >= 2 else { return .needsMore(used: used) }
                guard unsafe rest[0] == .carriageReturn, unsafe rest[1] == .lineFeed else {
                    throw MalformedRequest("a chunk that is longer than its size")
                }
                used += 2
                state = .chunkSize
            case .chunkSize:
                guard let count = try unsafe parseSize(rest) else { return .needsMore(used: used) }
                used += count
            case .trailers:
                guard let count = try unsafe parseTrailers(rest) else { return .needsMore(used: used) }
                used += count
            }
        }
    }

    /// Parses a chunk-size line and returns its length; nil if it is incomplete.
    private mutating func parseSize(_ buffer: UnsafeRawBufferPointer) throws(MalformedRequest) -> Int? {
        guard let lineFeed = unsafe buffer.prefix(Self.lineLimit).firstIndex(of: .lineFeed) else {
            guard buffer.count < Self.lineLimit else { throw MalformedRequest("a chunk-size line without an end") }
            return nil
        }
        guard lineFeed > 0, unsafe buffer[lineFeed - 1] == .carriageReturn else {
            throw MalformedRequest("a chunk-size line that does not end in CRLF")
        }
        let line = unsafe buffer[..<(lineFeed - 1)]
        let digits = unsafe line.prefix { $0 != UInt8(ascii: ";") }
        guard unsafe !digits.isEmpty, unsafe digits.count <= 15,
            let size = unsafe Int(String(decoding: digits, as: UTF8.self), radix: 16),
            unsafe digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
        else { throw MalformedRequest("a chunk size that is not a hexadecimal number") }
        state = size == 0 ? .trailers : .chunk(remaining: size)
        return lineFeed + 1
    }

    private mutating func parseTrailers(_ buffer: UnsafeRawBufferPointer) throws(MalformedRequest) -> Int? {
        guard let end = unsafe HeadLines.end(of: buffer, from: searched) else {
            searched = max(0, buffer.count - 2)
            guard buffer.count <= RequestHeadParser.limit else { throw Self.tooManyTrailers }
            return nil
        }
        guard end <= RequestHeadParser.limit else { throw Self.tooManyTrailers }
        let section = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<end])
        trailers = try unsafe HeadLines.parse(section, from: 0).map { line in
            unsafe (
                String(decoding: section[line.name], as: UTF8.self),
                String(decoding: section[line.value], as: UTF8.self)
            )
        }
        state = .done
        return end
    }

    private static var tooManyTrailers: MalformedRequest {
        MalformedRequest("trailers of more than \(RequestHeadParser.limit) bytes")
    }
}
