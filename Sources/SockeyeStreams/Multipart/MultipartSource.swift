import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// The parser of one body, which a ``MultipartReader`` and its parts share.
actor MultipartSource {
    private let input: any MultipartByteSource
    /// The request, for errors; nil if the body is itself a part.
    private let request: RequestIdentity?
    private let epilogueBytes: Int
    private var parser: MultipartParser
    /// The number of the latest part, counted from 1; 0 before the first part.
    private var current = 0
    /// The number of the last part that has ended.
    private var completed = 0
    /// The number of the last part from which ``nextPart()`` discarded unread content.
    private var skipped = 0
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

    /// Returns the next part, after skipping the rest of the current one; nil after the last part.
    func nextPart() async throws(SockeyeError) -> (number: Int, fields: Headers)? {
        while !isFinished {
            switch try await nextEvent() {
            case .part(let fields):
                current += 1
                return (current, fields)
            case .finished:
                isFinished = true
                completed = current
                // The epilogue is ignored (RFC 2046 5.1.1), and so are most errors while it is read.
                try await input.drain(upTo: epilogueBytes)
            case .endOfPart: completed = current
            case .data: skipped = current
            case .needMore: break
            }
        }
        return nil
    }

    /// Returns the next piece of a part's content; nil at its end.
    func nextPiece(of part: Int) async throws(SockeyeError) -> Bytes? {
        guard part == current, part != skipped else { throw BodyReader.consumed.about(request) }
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
}

extension MultipartSource: CustomReflectable {
    /// An empty mirror, so that dumps of readers and parts do not show received content.
    nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A source of the bytes of a multipart body. Only one task uses it at a time.
protocol MultipartByteSource: Sendable {
    /// Returns the next non-empty piece; nil at the end.
    func next() async throws(SockeyeError) -> Bytes?
    /// Reads the rest if it is short and arrives soon, so that the connection can be reused. Nothing is read after this
    /// call.
    ///
    /// - Throws: Only an error of the content coding, such as a wrong checksum, because it also concerns the parts.
    func drain(upTo limit: Int) async throws(SockeyeError)
}

/// The body of a response as a byte source. An actor, because the iterator of a sequence is not sendable.
actor ResponseByteSource: MultipartByteSource {
    private let response: IncomingResponse
    private let iterator: IncomingResponse.Body.Iterator
    private let clock: CallClock

    /// The longest time of ``drain(upTo:)``. A peer may leave the body open after the last part.
    private static let longestDrain = Duration.milliseconds(50)

    init(_ response: IncomingResponse, clock: CallClock = .system) {
        self.response = response
        self.clock = clock
        iterator = response.body.makeAsyncIterator()
    }

    func next() async throws(SockeyeError) -> Bytes? {
        // A copy of the iterator shares the position of the original.
        var iterator = iterator
        return try await iterator.next(isolation: self)
    }

    func drain(upTo limit: Int) async throws(SockeyeError) {
        defer { response.discard() }
        // Usually the end of the body has arrived already, and no timer is needed.
        guard limit > 0, case .fetch(let source) = response.head.reader.take() else { return }
        let (clock, deadline) = (clock, clock.time.now.advanced(by: Self.longestDrain))
        let failure = await withTaskGroup(of: SockeyeError?.self) { group in
            group.addTask { await self.skip(limit, from: source) }
            group.addTask {
                try? await clock.sleep(until: deadline)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let failure, failure.code == .badContentCoding { throw failure }
    }

    /// Reads up to `limit` bytes. Returns the error that ended the reading.
    private func skip(_ limit: Int, from source: any BodySource) async -> SockeyeError? {
        var left = limit
        do throws(SockeyeError) {
            var piece = try await response.head.reader.fetch(from: source)
            while let count = piece?.count, count < left {
                left -= count
                piece = try await next()
            }
            return nil
        } catch {
            return error
        }
    }
}
