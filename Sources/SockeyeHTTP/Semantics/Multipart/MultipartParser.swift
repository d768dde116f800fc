package import SockeyeCore

/// An incremental parser of multipart bodies (RFC 2046 5.1).
///
/// Bytes go in with ``append(_:)``, and ``next()`` tells what they hold until it needs more. Content is passed on as it
/// came, without a copy; only what may be the beginning of a delimiter is kept back, and heads, which are limited.
///
/// ```
/// start ─► preamble ─► delimiter ─► head ─► contentStart ─► content ─► delimiter ─► … ─► finished
/// ```
package struct MultipartParser: Sendable {
    private enum Stage: Sendable, Equatable {
        /// A delimiter may come without the CRLF that belongs to it.
        case start
        case preamble
        /// Behind a boundary.
        case delimiter
        /// Behind the first hyphen that closes the body.
        case closing
        /// In the blanks behind a boundary.
        case padding
        case lineFeed
        case head
        /// The CRLF behind the head may be the one of the next delimiter: such a part has no content at all.
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

    /// Adds bytes that were received. At most a delimiter and two bytes are kept back, so that joining costs a copy of `bytes`,
    /// and that only where they follow a CR.
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

    /// Notes that no more comes.
    package mutating func end() {
        isEnded = true
    }

    /// The next event. After ``MultipartEvent/finished``, and after an error, there are no others.
    package mutating func next() throws(MultipartFault) -> MultipartEvent {
        while true {
            guard let event = try advance() else { continue }
            if event == .needMore, isEnded { throw truncation }
            return event
        }
    }

    /// One step; nil when it only led to another stage.
    private mutating func advance() throws(MultipartFault) -> MultipartEvent? {
        switch stage {
        case .start: return begin(otherwise: .preamble)
        case .preamble: return try skipPreamble()
        case .delimiter, .closing, .padding, .lineFeed: return try readDelimiterLine()
        case .head: return try readHead()
        case .contentStart:
            let event = begin(otherwise: .content)
            // Also a part without content has an end.
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

    /// Where a delimiter may stand whose CRLF has come already.
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

    /// Blanks, which mail gateways may have added, and CRLF; or two hyphens, which end the body.
    private mutating func readDelimiterLine() throws(MultipartFault) -> MultipartEvent? {
        guard let byte = input.first else { return .needMore }
        consume(1)
        switch (stage, byte) {
        case (.delimiter, 0x2D): stage = .closing
        case (.closing, 0x2D): stage = .finished
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

/// The head of a part while it is received, up to its empty line.
struct PartHeadSection: Sendable {
    private var lines: [UInt8] = []
    private var lineStart = 0

    /// Takes bytes up to the end of the section.
    ///
    /// - Returns: How many were taken, and whether the section is complete.
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

    /// The fields. Lines that continue the one before them, as mail has them (RFC 5322 2.2.3), are joined to it.
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

/// An event of ``MultipartParser``, in the order of the body.
package enum MultipartEvent: Sendable, Equatable {
    /// Nothing more to tell until bytes are appended.
    case needMore
    /// A part begins; what was left of the one before is over.
    case part(Headers)
    /// Some of the content of the part. Never empty.
    case data(Bytes)
    /// The content of the part is complete.
    case endOfPart
    /// The last part is over. What follows means nothing (RFC 2046 5.1.1).
    case finished
}

/// How much of a multipart body a peer may make us hold or skip. The content of parts is not held, and not limited.
public struct MultipartLimits: Sendable, Hashable {
    /// The most parts. Default 1,000.
    public var parts = 1000
    /// The most bytes in the head of a part, its delimiter line included. Default 16 KiB.
    public var headBytes = 16 << 10
    /// The most fields in the head of a part. Default 100.
    public var fields = 100
    /// The most bytes before the first part, which are skipped, and so many after the last. Default 64 KiB.
    public var preambleBytes = 64 << 10

    /// Makes the default limits.
    public init() {}
}

/// A fault of a multipart body, on its way out or in.
package enum MultipartFault: Error, Sendable, Hashable {
    /// The text that should separate the parts cannot do so.
    case badBoundary
    /// A part, counted from 1, holds what should separate it from the next.
    case boundaryInPart(Int)

    /// The body ended without a single delimiter.
    case noDelimiter
    /// Behind a boundary stands something else than blanks and CRLF, or two hyphens.
    case badDelimiterLine
    /// The body ended within a delimiter or the head of a part.
    case truncatedHead
    /// The body ended within the content of a part.
    case truncatedPart
    /// The fields of a part break RFC 5322 and RFC 9110.
    case badHead(PeerFault)
    case preambleTooLarge(limit: Int)
    case headTooLarge(limit: Int)
    case tooManyParts(limit: Int)
}

extension MultipartFault: CustomStringConvertible {
    /// A sentence for people. It holds no byte of the body.
    package var description: String {
        switch self {
        case .badBoundary: "the boundary is missing or not one of RFC 2046"
        case .boundaryInPart(let part): "part \(part) of the form holds the boundary of the form"
        case .noDelimiter: "the body has no boundary"
        case .badDelimiterLine: "a boundary is not followed by the end of its line"
        case .truncatedHead: "the body ended inside the head of a part"
        case .truncatedPart: "the body ended inside a part"
        case .badHead(let fault): "the head of a part is malformed: \(fault)"
        case .preambleTooLarge(let limit): "more than the limit of \(limit) bytes stand before the first part"
        case .headTooLarge(let limit): "the head of a part is larger than the limit of \(limit) bytes"
        case .tooManyParts(let limit): "the body has more parts than the limit of \(limit)"
        }
    }
}
