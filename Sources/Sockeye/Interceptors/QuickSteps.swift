import SockeyeCore

/// The two steps of a ``QuickInterceptor`` that every request takes.
///
/// As closures: they are compiled for the type of the policy, which calls through `any QuickInterceptor` and methods of
/// generic classes are not. For each policy that is on, that makes a few hundred instructions of a request.
package struct QuickSteps: Sendable {
    /// Nil of those that never do anything to a request.
    let prepare: (@Sendable (Request, TimeSource) throws(SockeyeError) -> Preparation)?
    let accepts: @Sendable (Result<Response, SockeyeError>, Request, TimeSource) -> Bool

    package init(_ policy: some QuickInterceptor) {
        if policy.preparesRequests {
            prepare = { (request, time) throws(SockeyeError) in try policy.prepare(request, at: time) }
        } else {
            prepare = nil
        }
        accepts = { policy.accepts($0, of: $1, at: $2) }
    }
}
