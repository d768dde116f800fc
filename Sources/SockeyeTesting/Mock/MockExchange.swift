import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeNet

/// Turns a canned response into the client's response, with the delays and failures of the canned response.
struct MockExchange {
    let request: MockRequest
    let settings: MockSettings

    func response(_ response: TestServerResponse) async throws -> IncomingResponse {
        let deadlines = MockDeadlines(settings.limits(of: request.options), clock: settings.clock)
        try await deadlines.waitForHead(response.delay)
        for interim in response.interims {
            request.options.onInterim?(
                IncomingResponse.Interim(status: interim.status, headers: interim.headers))
        }
        switch response.content {
        case .failure(let error): throw error
        case .never: try await deadlines.waitForHead(nil)
        case .broken(let failure): throw SockeyeError(failure, in: .head, request)
        case .bytes, .stream: break
        }
        return try finalResponse(response, deadlines)
    }

    private func finalResponse(
        _ response: TestServerResponse, _ deadlines: MockDeadlines
    ) throws -> IncomingResponse {
        let code = response.status.code
        let isBodyless = request.method == .head || code == 204 || code == 304
        let length = try response.pieces().length
        var headers = response.headers
        if let length, code != 204, code != 304, response.trailers.isEmpty { headers[.contentLength] = String(length) }
        let body = content(response, isBodyless: isBodyless, length: length, deadlines)
        let status = HTTPResponse.Status.named(response.status)
        return IncomingResponse(
            ResponseStorage(
                status: code, fields: headers, reason: status.reasonPhrase, request: request.identity,
                body: body.limited(by: request.options.bodyLimit, orClient: settings.limits.bodyBytes)))
    }

    private func content(
        _ response: TestServerResponse, isBodyless: Bool, length: Int?, _ deadlines: MockDeadlines
    ) -> BodyContent {
        let trailers = response.trailers.isEmpty ? nil : response.trailers
        guard !isBodyless else { return BodyContent(expectedLength: 0, trailers: trailers) }
        if case .bytes(let bytes) = response.content, response.cut == nil {
            return BodyContent(first: bytes, expectedLength: bytes.count, trailers: trailers)
        }
        let interruption = response.cut.map { cut in
            MockBody.Interruption(position: cut.count) { () async throws in
                if cut.failure.manner == .silence { try await deadlines.waitInBody() }
                throw SockeyeError(cut.failure, in: .body, request)
            }
        }
        let source = MockBody(trailers: trailers, interruption) {
            (try? response.pieces().source) ?? BytesSource(Bytes())
        }
        return BodyContent(source: source, expectedLength: length)
    }
}

/// The client settings that also apply to a mock.
struct MockSettings: Sendable {
    var timeouts = Timeouts()
    var limits = ResponseLimits()
    var clock: ManualClock?

    func limits(of options: OutgoingRequest.Options) -> PhaseLimits {
        PhaseLimits(options.timeouts?.over(timeouts) ?? timeouts)
    }
}

/// The deadlines of an exchange in memory. The limits for the head and the whole call count from the start of the
/// exchange. The limit for a stall counts from the call of ``waitInBody()``.
struct MockDeadlines: Sendable {
    private let limits: PhaseLimits
    private let clock: ManualClock?
    private let started: MonotonicTime

    init(_ limits: PhaseLimits, clock: ManualClock?) {
        self.limits = limits
        self.clock = clock
        started = (clock?.timeSource ?? .system).now
    }

    private var now: MonotonicTime { (clock?.timeSource ?? .system).now }

    /// Waits for a delay. Throws a time-out error if the deadline for the head or the whole call passes first.
    ///
    /// - Parameter delay: The time until the head arrives; nil if it never arrives.
    func waitForHead(_ delay: Duration?) async throws {
        try await wait(delay, orUntil: limits.head, since: started, in: .head, name: "head")
    }

    /// Waits until the stall or total deadline passes, or until the task is cancelled, and then throws.
    func waitInBody() async throws {
        try await wait(nil, orUntil: limits.stall, since: now, in: .body, name: "stall")
    }

    private func wait(
        _ delay: Duration?, orUntil limit: Duration?, since beginning: MonotonicTime, in phase: SockeyeError.Phase,
        name: String
    ) async throws {
        let now = now
        let total = limits.total?.subtractingSaturated(now.since(started))
        let phaseLeft = limit?.subtractingSaturated(now.since(beginning))
        let isTotal = total.map { total in phaseLeft.map { total < $0 } ?? true } ?? false
        let wait = Delay(clock: clock)
        guard let left = isTotal ? total : phaseLeft else {
            guard let delay else { try await EventPoller.waitForCancellation() }
            return try await wait.sleep(for: delay)
        }
        if let delay, delay < left { return try await wait.sleep(for: delay) }
        try await wait.sleep(for: left)
        throw SockeyeError.timeout(
            phase, configured: isTotal ? limits.total : limit, name: isTotal ? "total" : name)
    }
}

/// The body of a canned response, which the client reads piece by piece. This type is an actor because the source of
/// the pieces is not Sendable. Reads do not interleave, because the client has at most one read in progress.
actor MockBody: BodySource {
    /// The early end of a body: after `position` bytes, or at the end of a shorter body, `fail` throws. To simulate a
    /// silent server, `fail` first waits until a deadline passes or the task is cancelled.
    struct Interruption: Sendable {
        let position: Int
        let fail: @Sendable () async throws -> Void
    }

    private let source: any PieceSource
    private let interruption: Interruption?
    private var delivered = 0
    nonisolated let trailers: Headers?

    init(trailers: Headers?, _ interruption: Interruption? = nil, _ makeSource: @Sendable () -> any PieceSource) {
        source = makeSource()
        self.interruption = interruption
        self.trailers = trailers
    }

    func next() async throws(SockeyeError) -> Bytes? {
        do {
            return try await piece()
        } catch let error as SockeyeError {
            throw error
        } catch is CancellationError {
            throw SockeyeError(TransportError.cancelled, phase: .body)
        } catch {
            var fields = SockeyeError.Fields(
                .connectionClosed, phase: .body, blame: .peer, message: "the mock's body failed: \(error)")
            fields.underlying = error
            throw SockeyeError(fields)
        }
    }

    private func piece() async throws -> Bytes? {
        let room = interruption.map { $0.position - delivered } ?? .max
        guard room > 0 else {
            try await interruption?.fail()
            return nil
        }
        while let piece = try await source.next() {
            guard !piece.isEmpty else { continue }
            let part = piece.count > room ? piece.slice(0..<room) : piece
            delivered += part.count
            return part
        }
        try await interruption?.fail()
        return nil
    }
}

extension SockeyeError {
    /// Makes the error that a client over sockets would throw for this failure.
    init(_ failure: TestServerResponse.Failure, in phase: Phase, _ request: MockRequest) {
        var fields = Fields(
            failure.code, phase: failure.phase ?? phase, blame: failure.blame, message: failure.message)
        fields.request = request.identity
        self.init(fields)
    }
}
