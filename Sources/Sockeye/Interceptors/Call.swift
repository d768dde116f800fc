public import SockeyeEngine
import SockeyeHTTP

/// The rest of a call's way to the wire, as an ``Interceptor`` sees it.
public struct Call: Sendable {
    private let chain: InterceptorChain
    private let position: Int
    /// The state that the interceptors of the call share.
    package let shared: CallContext

    init(_ chain: InterceptorChain, at position: Int, _ shared: CallContext) {
        self.chain = chain
        self.position = position
        self.shared = shared
    }

    /// Sends a request through the interceptors that follow, and to the wire.
    ///
    /// - Returns: The response, as soon as its head has arrived.
    /// - Throws: ``SockeyeError``, also for what interceptors further in threw.
    public func proceed(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        try await chain.send(shared.completed(request), from: position, in: shared)
    }

    /// The rest of the way for work that continues after the call: with a deadline of its own, of the same length, and without
    /// an observer.
    var detached: Call { Call(chain, at: position, shared.renewed) }

    /// Starts work that no caller waits for. It is cancelled at the latest after `limit`, and when the client ends.
    ///
    /// - Parameter ended: Called once afterwards, also if the client has ended already and `work` does not run.
    /// - Returns: Its task; nil if the client has ended.
    @discardableResult
    func inBackground(
        within limit: Duration, work: @escaping @Sendable () async -> Void,
        ended: @escaping @Sendable (BackgroundWork.Ending) -> Void
    ) -> Task<Void, Never>? {
        chain.background.start(within: limit, by: chain.backgroundClock, work: work, ended: ended)
    }

    /// The rest of the way for an exchange that several callers wait for, each with a deadline of its own. This call then has no
    /// deadline, and the request must have none either.
    var withoutDeadline: Call {
        shared.deadline == .distantFuture ? self : Call(chain, at: position, shared.withoutDeadline)
    }

    /// How requests to this machine travel.
    var loopbackRoute: LoopbackRoute { chain.loopbackRoute }

    /// Whether interceptors that follow may give requests credentials which those before them do not see.
    var hasHiddenCredentials: Bool { chain.hasCredentials(from: position) }

    /// The deadlines that hold for a request.
    func limits(of request: OutgoingRequest) -> PhaseLimits { chain.limits(of: request) }

    /// The fields that carry credentials as the client says, if these are not the usual ones.
    var secretFields: Set<Headers.Name> { chain.secretFields }

    /// Tells calls apart that go another way.
    var chainIdentity: ObjectIdentifier { ObjectIdentifier(chain) }

    /// What the client does where a request says nothing else.
    var usualSettings: (decompresses: Bool, bodyLimit: Int?) { chain.usualSettings }

    /// The values that the caller has given the call; see ``OutgoingRequest/Options/context``.
    public var context: OutgoingRequest.Context { shared.values }

    /// The time since the call began.
    public var elapsed: Duration { shared.time.now.since(shared.started) }

    /// The time that is left of the call's ``Timeouts/total`` deadline; nil without one.
    public var remaining: Duration? {
        shared.deadline == .distantFuture ? nil : shared.deadline.since(shared.time.now)
    }

    /// What the call did so far; see ``IncomingResponse/history``.
    public var history: [PriorExchange] { shared.history }

    /// Adds an exchange whose outcome is not the call's to its history. Interceptors that send again what they were given
    /// say so here.
    ///
    /// - Parameters:
    ///   - request: The request as it was sent.
    ///   - outcome: What came of it.
    ///   - reason: Why it is not the last one.
    public func record(
        _ request: OutgoingRequest, _ outcome: Result<IncomingResponse, SockeyeError>, reason: PriorExchange.Reason
    ) {
        shared.record(request, outcome, reason: reason)
    }

    /// Waits on the client's clock.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/timeout`` at once when the call's total deadline comes first, and
    ///   ``SockeyeError/Code-swift.struct/cancelled`` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws(SockeyeError) {
        try await shared.sleep(for: duration)
    }
}
