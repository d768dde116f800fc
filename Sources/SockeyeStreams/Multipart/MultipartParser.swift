package import SockeyeCore
import SockeyeHTTP

/// An incremental parser of multipart bodies (RFC 2046 5.1).
///
/// ``append(_:)`` takes bytes. Each call of ``next()`` returns one event, which is ``MultipartEvent/needMore`` if the
/// parser needs more bytes. The parser holds back only the possible start of a delimiter, and the head of a part, which
/// has a limited size. Content is returned without a copy, unless the parser held back bytes before it.
///
/// ```
/// start ─► preamble ─► delimiter ─► head ─► contentStart ─► content ─► delimiter ─► … ─► finished
/// ```
package struct MultipartParser: Sendable {
    private enum Stage: Sendable, Equatable {
        /// At the start of the body, where a delimiter may lack the CRLF before it.
        case start
        case preamble
        /// After a boundary.
        case delimiter
        /// After the first of the two hyphens that end the body.
        case closing
        /// Within the blanks after a boundary.
        case padding
        /// After the CR of a delimiter line.
        case lineFeed
        case head
        /// After the head. The CRLF that ends the head may also be the start of the next delimiter; then the part has
        /// no content.
        case contentStart
        case content
        case finished
    }

    private let search: DelimiterSearch
    private let limits: MultipartLimits
    private var stage = Stage.start
    private var input = Bytes()
    private var isEnded = false
    private var section = PartHeadSection()
    private var partCount = 0
    private var skipped = 0
    private var padding = 0

    package init(boundary: MultipartBoundary, limits: MultipartLimits = MultipartLimits()) {
        search = DelimiterSearch(boundary)
        self.limits = limits
    }

    /// Adds received bytes. If the parser holds back the possible start of a delimiter, joining it with these bytes
    /// costs a copy. Such a start is at most CRLF, two hyphens, the boundary, and the first byte of a CRLF or of two
    /// hyphens.
    package mutating func append(_ bytes: Bytes) {
        guard !input.isEmpty else {
            input = bytes
            return
        }
        var joined = BytesAccumulator(expected: input.count + bytes.count)
        joined.append(input)
        joined.append(bytes)
        input = joined.finish()
    }

    /// Tells the parser that the body has ended and no more bytes follow.
    package mutating func end() {
        isEnded = true
    }

    /// Returns the next event. ``MultipartEvent/finished`` is the last event, which later calls return again. After an
    /// error, this method must not be called again.
    package mutating func next() throws(MultipartFault) -> MultipartEvent {
        while true {
            guard let event = try advance() else { continue }
            if event == .needMore, isEnded { throw truncation }
            return event
        }
    }

    /// Performs one step. Returns nil if the step completed no event.
    private mutating func advance() throws(MultipartFault) -> MultipartEvent? {
        switch stage {
        case .start: return begin(otherwise: .preamble)
        case .preamble: return try skipPreamble()
        case .delimiter, .closing, .padding, .lineFeed: return try readDelimiterLine()
        case .head: return try readHead()
        case .contentStart:
            let event = begin(otherwise: .content)
            // The head is directly followed by a delimiter: the part has no content and ends here.
            return stage == .delimiter ? .endOfPart : event
        case .content: return readContent()
        case .finished: return .finished
        }
    }

    private var truncation: MultipartFault {
        switch stage {
        case .start, .preamble: .noDelimiter
        case .contentStart, .content: .truncatedPart
        default: .truncatedHead
        }
    }

    private mutating func consume(_ count: Int) {
        input = input.slice(count..<input.count)
    }

    // MARK: Stages

    /// Checks for a delimiter without its CRLF: the CRLF was the end of the head, or is missing at the start of the
    /// body.
    private mutating func begin(otherwise next: Stage) -> MultipartEvent? {
        guard let isDelimiter = search.begins(input, isLast: isEnded) else { return .needMore }
        stage = isDelimiter ? .delimiter : next
        if isDelimiter { consume(search.length - 2) }
        return nil
    }

    private mutating func skipPreamble() throws(MultipartFault) -> MultipartEvent? {
        let match = search.search(input, isLast: isEnded)
        skipped += match.place
        guard skipped <= limits.preambleBytes else { throw .preambleTooLarge(limit: limits.preambleBytes) }
        consume(match.place + (match.isDelimiter ? search.length : 0))
        guard match.isDelimiter else { return .needMore }
        stage = .delimiter
        return nil
    }

    private mutating func readContent() -> MultipartEvent? {
        let match = search.search(input, isLast: isEnded)
        if match.place > 0 {
            let content = input.slice(0..<match.place)
            consume(match.place)
            return .data(content)
        }
        guard match.isDelimiter else { return .needMore }
        consume(search.length)
        stage = .delimiter
        return .endOfPart
    }

    /// Reads the rest of a delimiter line: blanks, which mail gateways may have added, and CRLF; or two hyphens, which
    /// end the body.
    private mutating func readDelimiterLine() throws(MultipartFault) -> MultipartEvent? {
        guard let byte = input.first else { return .needMore }
        consume(1)
        switch (stage, byte) {
        case (.delimiter, 0x2D): stage = .closing
        case (.closing, 0x2D):
            // Browsers send only a closing delimiter for an empty form. Such a body is accepted.
            guard partCount > 0 || skipped == 0 else { throw .noPart }
            stage = .finished
        case (.delimiter, 0x20), (.delimiter, 0x09), (.padding, 0x20), (.padding, 0x09):
            padding = stage == .delimiter ? 1 : padding + 1
            guard padding <= limits.headBytes else { throw .headTooLarge(limit: limits.headBytes) }
            stage = .padding
        case (.delimiter, 0x0D), (.padding, 0x0D): stage = .lineFeed
        case (.lineFeed, 0x0A):
            partCount += 1
            guard partCount <= limits.parts else { throw .tooManyParts(limit: limits.parts) }
            section = PartHeadSection()
            stage = .head
        default: throw .badDelimiterLine
        }
        return nil
    }

    private mutating func readHead() throws(MultipartFault) -> MultipartEvent? {
        let (count, isComplete) = try section.take(input, limit: limits.headBytes)
        consume(count)
        guard isComplete else { return .needMore }
        stage = .contentStart
        return .part(try section.fields(limit: limits.fields))
    }
}

/// The received bytes of a part's head, including the empty line at its end.
struct PartHeadSection: Sendable {
    private var lines: [UInt8] = []
    private var lineStart = 0

    /// Takes bytes up to the end of the section.
    ///
    /// - Returns: The number of bytes taken, and true if the section is complete.
    mutating func take(_ input: Bytes, limit: Int) throws(MultipartFault) -> (count: Int, isComplete: Bool) {
        var count = 0
        for byte in input {
            count += 1
            guard lines.count < limit else { throw .headTooLarge(limit: limit) }
            lines.append(byte)
            guard byte == 0x0A else { continue }
            let length = lines.count - lineStart
            guard length >= 2, lines[lines.count - 2] == 0x0D else { throw .badHead(.bareLF) }
            if length == 2 { return (count, true) }
            lineStart = lines.count
        }
        return (count, false)
    }

    /// Returns the fields. Continuation lines of mail (RFC 5322 2.2.3) are joined with the line before them.
    func fields(limit: Int) throws(MultipartFault) -> Headers {
        var lines = lines
        for index in lines.indices.dropFirst(2) where lines[index] == 0x20 || lines[index] == 0x09 {
            guard lines[index - 1] == 0x0A, lines[index - 2] == 0x0D else { continue }
            lines[index - 1] = 0x20
            lines[index - 2] = 0x20
        }
        do throws(PeerFault) {
            return try FieldSection.decode(lines, limit: limit)
        } catch {
            throw .badHead(error)
        }
    }
}

/// An event that ``MultipartParser`` returns.
package enum MultipartEvent: Sendable, Equatable {
    /// More bytes are needed.
    case needMore
    /// A part begins.
    case part(Headers)
    /// A piece of the content of the part. Never empty.
    case data(Bytes)
    /// The content of the part is complete.
    case endOfPart
    /// The closing delimiter was read. Any bytes after it have no meaning (RFC 2046 5.1.1).
    case finished
}

/// Limits on multipart bodies, so that a peer cannot make the client store or skip an unlimited number of bytes. The
/// content of parts is not stored and not limited.
public struct MultipartLimits: Sendable, Hashable {
    /// The maximum number of parts. Default 1,000.
    public var parts = 1000
    /// The maximum number of bytes in the head of a part. Blanks on its delimiter line have the same limit. Default 16
    /// KiB.
    public var headBytes = 16 << 10
    /// The maximum number of fields in the head of a part. Default 100.
    public var fields = 100
    /// The maximum number of bytes to skip before the first part, and to read after the last part. More bytes before
    /// the first part are an error; more bytes after the last part are left unread. Default 64 KiB.
    public var preambleBytes = 64 << 10

    /// Creates the default limits.
    public init() {}
}
