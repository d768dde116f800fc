import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// The parser that a ``MultipartReader`` and its parts share, fed from one body.
actor MultipartSource {
    private let input: any MultipartByteSource
    private let request: RequestIdentity?
    private let epilogueBytes: Int
    private var parser: MultipartParser
    /// The part that was begun last, from 1, and the last one whose content is complete.
    private var current = 0
    private var completed = 0
    private var isReading = false
    private var isFinished = false
    private var failure: SockeyeError?

    init(
        _ input: any MultipartByteSource, boundary: MultipartBoundary, limits: MultipartLimits,
        request: RequestIdentity?
    ) {
        self.input = input
        self.request = request
        epilogueBytes = limits.preambleBytes
        parser = MultipartParser(boundary: boundary, limits: limits)
    }

    /// The next part, past what is left of the current one; nil behind the last.
    func nextPart() async throws(SockeyeError) -> (number: Int, fields: Headers)? {
        while !isFinished {
            switch try await nextEvent() {
            case .part(let fields):
                current += 1
                return (current, fields)
            case .finished:
                isFinished = true
                completed = current
                try await drain()
            case .endOfPart: completed = current
            case .data, .needMore: break
            }
        }
        return nil
    }

    /// The next piece of a part's content; nil at its end.
    func nextPiece(of part: Int) async throws(SockeyeError) -> Bytes? {
        guard part == current else { throw BodyReader.consumed.about(request) }
        guard part > completed else { return nil }
        guard case .data(let bytes) = try await nextEvent() else {
            completed = current
            return nil
        }
        return bytes
    }

    private func nextEvent() async throws(SockeyeError) -> MultipartEvent {
        if let failure { throw failure }
        guard !isReading else { throw BodyReader.consumed.about(request) }
        isReading = true
        defer { isReading = false }
        do throws(SockeyeError) {
            while true {
                let event = try parse()
                guard case .needMore = event else { return event }
                if let piece = try await input.next() { parser.append(piece) } else { parser.end() }
            }
        } catch {
            failure = error
            throw error
        }
    }

    private func parse() throws(SockeyeError) -> MultipartEvent {
        do throws(MultipartFault) {
            return try parser.next()
        } catch {
            throw SockeyeError(error).about(request)
        }
    }

    /// Reads what follows the last part, so that the connection is free for the next request; not much of it.
    private func drain() async throws(SockeyeError) {
        var left = epilogueBytes
        while left > 0, let piece = try await input.next() { left -= piece.count }
    }
}

extension MultipartSource: CustomReflectable {
    /// Nothing of what was received, for dumps of the readers and parts that hold it.
    nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A source of the bytes of a multipart body. Used by one task at a time.
protocol MultipartByteSource: Sendable {
    /// The next non-empty piece; nil at the end.
    func next() async throws(SockeyeError) -> Bytes?
}

/// The body of a response. An actor, since the iterator of a sequence cannot be sent.
actor ResponseByteSource: MultipartByteSource {
    private let iterator: IncomingResponse.Body.Iterator

    init(_ body: IncomingResponse.Body) {
        iterator = body.makeAsyncIterator()
    }

    func next() async throws(SockeyeError) -> Bytes? {
        // A copy reads on from the same position.
        var iterator = iterator
        return try await iterator.next(isolation: self)
    }
}

extension SockeyeError {
    /// Translates what is wrong with a multipart body, of ours or of the peer's.
    init(_ fault: MultipartFault) {
        switch fault {
        case .badHead(let head):
            self = SockeyeError(head, phase: .body)
        case .preambleTooLarge(let limit):
            self.init(fault, limit: Limit("preambleBytes", configured: "\(limit) bytes", seen: "more"))
        case .headTooLarge(let limit):
            self.init(fault, limit: Limit("headBytes", configured: "\(limit) bytes", seen: "more"))
        case .tooManyParts(let limit):
            self.init(fault, limit: Limit("parts", configured: limit, seen: limit + 1))
        case .badBoundary, .boundaryInPart:
            self.init(.init(.encodingFailed, phase: .prepare, blame: .caller, message: fault.description))
        default:
            self.init(.init(.malformedResponse, phase: .body, blame: .peer, message: fault.description))
        }
        self = with { $0.underlying = fault }
    }

    private init(_ fault: MultipartFault, limit: Limit) {
        var fields = Fields(.limitExceeded, phase: .body, blame: .policy, message: fault.description)
        fields.limit = limit
        self.init(fields)
    }
}
