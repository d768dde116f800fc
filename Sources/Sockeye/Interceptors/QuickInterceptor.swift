package import SockeyeCore
package import SockeyeEngine
package import SockeyeHTTP

/// An interceptor that usually has nothing to wait for: it looks at the request, and lets the response pass.
///
/// Around a protocol like ``Interceptor`` each policy would cost every request an asynchronous frame. The chain asks
/// these one after the other in its own frame instead, and calls one asynchronously only when it has reason to: hence
/// policies that are on but not needed cost some instructions each.
package protocol QuickInterceptor: Interceptor, RequestPreparing {
    /// The two steps that requests take; always those of this very type.
    var steps: QuickSteps { get }

    /// Whether ``prepare(_:adding:at:)`` is worth asking. Default true.
    var preparesRequests: Bool { get }

    /// Which outcomes ``accepts(_:of:at:)`` is worth asking about. Default ``OutcomeInterest/everything``.
    var interest: OutcomeInterest { get }

    /// The request as it goes on, where that takes waiting.
    func prepareWaiting(_ request: Request, in call: Call) async throws(SockeyeError) -> Request

    /// Whether this is what those further out get. Called once for each outcome of ``interest``, so it may also take note
    /// of it.
    ///
    /// - Parameter request: As it was sent, but for the fields that were added to it; see ``prepare(_:adding:at:)``.
    func accepts(_ outcome: Result<Response, SockeyeError>, of request: Request, at time: TimeSource) -> Bool

    /// What those further out get of an outcome that was not accepted.
    ///
    /// - Parameter request: As it went on from here.
    func revise(
        _ outcome: Result<Response, SockeyeError>, of request: Request, in call: Call
    ) async throws(SockeyeError) -> Response
}

extension QuickInterceptor {
    package var steps: QuickSteps { QuickSteps(self) }

    package var preparesRequests: Bool { true }

    package var interest: OutcomeInterest { .everything }

    package func prepare(
        _ request: Request, adding fields: inout AddedFields, at time: TimeSource
    ) throws(SockeyeError) -> Preparation { .ready }

    package func prepareWaiting(_ request: Request, in call: Call) async throws(SockeyeError) -> Request { request }

    package func accepts(
        _ outcome: Result<Response, SockeyeError>, of request: Request, at time: TimeSource
    ) -> Bool { true }

    package func revise(
        _ outcome: Result<Response, SockeyeError>, of request: Request, in call: Call
    ) async throws(SockeyeError) -> Response { try outcome.get() }

    /// The same steps with a frame of its own.
    func interceptSlowly(_ request: Request, in call: Call) async throws(SockeyeError) -> Response {
        let time = call.context.time
        let prepared: Request
        var added = AddedFields()
        switch try prepare(request, adding: &added, at: time) {
        case .ready: prepared = request.adding(added)
        case .replacing(let other): prepared = other
        case .waiting: prepared = try await prepareWaiting(request, in: call)
        }
        let outcome = await call.outcome(of: prepared)
        if accepts(outcome, of: prepared, at: time) { return try outcome.get() }
        return try await revise(outcome, of: prepared, in: call)
    }
}

extension Call {
    /// What comes of a request, an error included.
    package func outcome(of request: Request) async -> Result<Response, SockeyeError> {
        do throws(SockeyeError) {
            return .success(try await proceed(request))
        } catch {
            return .failure(error)
        }
    }
}
