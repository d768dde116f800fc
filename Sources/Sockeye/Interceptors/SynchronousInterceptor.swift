package import SockeyeCore
package import SockeyeEngine
package import SockeyeHTTP

/// An interceptor in two synchronous steps, one before a request is sent and one after, and an asynchronous variant of
/// each for when it has to wait.
///
/// Around a method like ``Interceptor/intercept(_:in:)`` each policy would cost every request an asynchronous frame. The
/// chain asks these in its own frame instead, so that a policy that is on but not needed costs some instructions.
package protocol SynchronousInterceptor: Interceptor {
    /// Whether ``prepare(_:adding:at:)`` is worth asking. Default true.
    var preparesRequests: Bool { get }

    /// Which outcomes ``accepts(_:of:at:)`` is worth asking about. Default ``OutcomeFilter/everything``.
    var outcomeFilter: OutcomeFilter { get }

    /// Prepares the request before it goes on.
    ///
    /// - Parameter fields: Takes fields that go with the request, which costs less than another request does.
    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource
    ) throws(SockeyeError) -> Preparation

    /// The request as it goes on, where that takes waiting.
    func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest

    /// Whether the outcome goes on to the interceptors further out. Called once for each outcome of ``interest``, so it
    /// may also take note of it.
    ///
    /// - Parameter request: As it was sent, but for the fields that were added to it; see ``prepare(_:adding:at:)``.
    func accepts(_ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, at time: TimeSource)
        -> Bool

    /// The response in place of an outcome that was not accepted.
    ///
    /// - Parameter request: As it went on from here.
    func revise(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, in call: Call
    ) async throws(SockeyeError) -> IncomingResponse
}

/// What a ``SynchronousInterceptor`` does to a request before it goes on.
package enum Preparation: Sendable {
    /// Nothing, or nothing but adding fields.
    case ready
    /// Another request goes on.
    case replacing(OutgoingRequest)
    /// It has to wait first; see ``SynchronousInterceptor/prepareWaiting(_:in:)``.
    case waiting
}

extension SynchronousInterceptor {
    package var preparesRequests: Bool { true }

    package var outcomeFilter: OutcomeFilter { .everything }

    package func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource
    ) throws(SockeyeError) -> Preparation { .ready }

    package func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest
    { request }

    package func accepts(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, at time: TimeSource
    ) -> Bool { true }

    package func revise(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, in call: Call
    ) async throws(SockeyeError) -> IncomingResponse { try outcome.get() }

    /// Runs all steps as an ordinary interceptor, for a policy that is called by another interceptor.
    package func interceptAlone(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError)
        -> IncomingResponse
    { try await call.run(self, on: request) }
}

extension Call {
    /// The steps of one policy. By an existential, so that this is compiled once and not for each policy: the chain runs its
    /// policies itself, and comes here only for one that stands in another interceptor.
    @inline(never)
    fileprivate func run(
        _ policy: any SynchronousInterceptor, on request: OutgoingRequest
    ) async throws(SockeyeError) -> IncomingResponse {
        let time = shared.time
        let prepared: OutgoingRequest
        var added = FieldLineBuffer()
        switch try policy.prepare(request, adding: &added, at: time) {
        case .ready: prepared = request.adding(added)
        case .replacing(let other): prepared = other
        case .waiting: prepared = try await policy.prepareWaiting(request, in: self)
        }
        let outcome = await outcome(of: prepared)
        if policy.accepts(outcome, of: prepared, at: time) { return try outcome.get() }
        return try await policy.revise(outcome, of: prepared, in: self)
    }

    /// The outcome of a request, errors included.
    package func outcome(of request: OutgoingRequest) async -> Result<IncomingResponse, SockeyeError> {
        do throws(SockeyeError) {
            return .success(try await proceed(request))
        } catch {
            return .failure(error)
        }
    }
}
