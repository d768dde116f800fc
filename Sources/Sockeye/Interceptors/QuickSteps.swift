import SockeyeCore
import SockeyeEngine

/// The two steps of a ``QuickInterceptor`` that a request may take.
///
/// As closures: they are compiled for the type of the policy, which calls through `any QuickInterceptor` and methods of
/// generic classes are not. For each policy that is on, that makes a few hundred instructions of a request.
package struct QuickSteps: Sendable {
    /// A step down and all that follow it. Says whether they are done; if not, the policy at the position of the descent
    /// has to wait.
    typealias Descending = @Sendable (inout Descent, TimeSource) throws(SockeyeError) -> Bool

    /// Puts the first step, at a position, before others: what a closure captures is not retained when it is called, as
    /// what an object refers to would be. Nil of those that never do anything to a request.
    let descending: (@Sendable (Int, @escaping Descending) -> Descending)?
    let accepts: @Sendable (Result<Response, SockeyeError>, Request, TimeSource) -> Bool

    package init(_ policy: some QuickInterceptor) {
        self.init(policy, preparing: policy)
    }

    /// - Parameter preparing: Does the same to a request as the policy, in fewer instructions.
    package init(_ policy: some QuickInterceptor, preparing: some RequestPreparing) {
        if policy.preparesRequests {
            descending = { position, next in Self.step(preparing, at: position, before: next) }
        } else {
            descending = nil
        }
        accepts = { policy.accepts($0, of: $1, at: $2) }
    }

    private static func step(
        _ preparing: some RequestPreparing, at position: Int, before next: @escaping Descending
    ) -> Descending {
        { (descent: inout Descent, time: TimeSource) throws(SockeyeError) -> Bool in
            descent.comes(to: position)
            switch try descent.prepared(by: preparing, at: time) {
            case .ready: break
            case .replacing(let request): descent.replace(by: request)
            case .waiting: return false
            }
            return try next(&descent, time)
        }
    }
}
