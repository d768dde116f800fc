package import SockeyeCore
package import SockeyeEngine
package import SockeyeHTTP

/// An interceptor in two synchronous steps, one before a request is sent and one after. Each step has an asynchronous
/// variant that may wait.
///
/// With only ``Interceptor/intercept(_:in:)``, each interceptor would cost every request an asynchronous frame. The
/// interceptor chain calls the synchronous steps in its own frame.
package protocol SynchronousInterceptor: Interceptor {
    /// True if the chain should call ``prepare(_:adding:at:for:)``. Default: true.
    var preparesRequests: Bool { get }

    /// The outcomes for which the chain calls ``accepts(_:of:at:)``. Default: ``OutcomeFilter/everything``.
    var outcomeFilter: OutcomeFilter { get }

    /// Prepares the request before the next interceptor gets it.
    ///
    /// - Parameters:
    ///   - fields: Receives fields to add to the request. Adding fields is cheaper than replacing the request.
    ///   - observer: The observer of the call.
    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        for observer: CallObserver?
    ) throws(SockeyeError) -> Preparation

    /// Prepares the request asynchronously, and returns the request for the next interceptor. Called only if
    /// ``prepare(_:adding:at:for:)`` returned ``Preparation/waiting``.
    func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest

    /// True if the outcome is passed to the next outer interceptor unchanged. Called once for each outcome that
    /// ``outcomeFilter`` matches, so the method may also record it.
    ///
    /// - Parameter request: The request of the last of the consecutive synchronous interceptors to which this one
    ///   belongs. The fields that these interceptors added in ``prepare(_:adding:at:for:)`` are missing.
    func accepts(_ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, at time: TimeSource)
        -> Bool

    /// Returns the response to use instead of an outcome that was not accepted.
    ///
    /// - Parameter request: The request as this interceptor passed it to the next one, including the fields that
    ///   ``prepare(_:adding:at:for:)`` added.
    func revise(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, in call: Call
    ) async throws(SockeyeError) -> IncomingResponse
}

/// The result of preparing a request with a ``SynchronousInterceptor``.
package enum Preparation: Sendable {
    /// The request is unchanged, except for added fields.
    case ready
    /// This request replaces the original one.
    case replacing(OutgoingRequest)
    /// The interceptor must wait; see ``SynchronousInterceptor/prepareWaiting(_:in:)``.
    case waiting
}

extension SynchronousInterceptor {
    package var preparesRequests: Bool { true }

    package var outcomeFilter: OutcomeFilter { .everything }

    package func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        for observer: CallObserver?
    ) throws(SockeyeError) -> Preparation { .ready }

    package func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest
    { request }

    package func accepts(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, at time: TimeSource
    ) -> Bool { true }

    package func revise(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, in call: Call
    ) async throws(SockeyeError) -> IncomingResponse { try outcome.get() }

    /// Runs all steps in one asynchronous call. Synchronous interceptors implement ``Interceptor/intercept(_:in:)``
    /// with this method. The chain runs the steps itself, so `intercept` is called only by an interceptor that contains
    /// another one.
    package func interceptAlone(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError)
        -> IncomingResponse
    { try await call.run(self, on: request) }
}

extension Call {
    /// Runs the steps of one interceptor. Takes an existential, so that this method is compiled once and not for each
    /// interceptor type.
    @inline(never)
    fileprivate func run(
        _ policy: any SynchronousInterceptor, on request: OutgoingRequest
    ) async throws(SockeyeError) -> IncomingResponse {
        let time = shared.time
        var prepared = request
        var added = FieldLineBuffer()
        if policy.preparesRequests {
            switch try policy.prepare(request, adding: &added, at: time, for: shared.observer) {
            case .ready: break
            case .replacing(let other): prepared = other
            case .waiting: prepared = try await policy.prepareWaiting(request, in: self)
            }
        }
        let sent = prepared.adding(added)
        let outcome = await outcome(of: sent)
        guard policy.outcomeFilter.includes(outcome, of: prepared), !policy.accepts(outcome, of: prepared, at: time)
        else { return try outcome.get() }
        return try await policy.revise(outcome, of: sent, in: self)
    }
}
