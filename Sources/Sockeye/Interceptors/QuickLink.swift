import SockeyeCore
import SockeyeEngine

/// A policy in its place in a chain, and those of its kind that follow it.
///
/// From one to the next, since an element of an array is retained when it is looked at.
final class QuickLink: Sendable {
    let interceptor: any QuickInterceptor
    /// Which outcomes this policy wants to see, or one of those that follow it.
    let interest: OutcomeInterest
    private let steps: QuickSteps
    private let position: Int
    private let next: QuickLink?
    /// Has this policy and those that follow it do to a request what they do.
    let descend: QuickSteps.Descending
    /// Whether that is anything.
    let preparesRequests: Bool
    /// The position behind the last of them.
    let end: Int

    init(_ interceptor: any QuickInterceptor, at position: Int, before next: QuickLink?) {
        self.interceptor = interceptor
        steps = interceptor.steps
        self.position = position
        self.next = next
        // Without operators that are generic, which would put each closure into others.
        let following: QuickSteps.Descending
        if let next { following = next.descend } else { following = Self.end(at: position + 1) }
        if let descending = steps.descending { descend = descending(position, following) } else { descend = following }
        preparesRequests = steps.descending != nil || next?.preparesRequests == true
        end = next?.end ?? position + 1
        interest = interceptor.interest.union(next?.interest ?? .nothing)
    }

    /// Those behind this position are not quick.
    private static func end(at position: Int) -> QuickSteps.Descending {
        { (descent: inout Descent, _: TimeSource) throws(SockeyeError) -> Bool in
            descent.comes(to: position)
            return true
        }
    }

    /// Shows the outcome to those that the request has passed, from the last of them to this one.
    ///
    /// - Returns: The one that does not let it pass.
    func ascend(
        _ descent: inout Descent, with outcome: Result<Response, SockeyeError>, at time: TimeSource
    ) -> QuickLink? {
        if descent.position > position + 1, let objecting = next?.ascend(&descent, with: outcome, at: time) {
            return objecting
        }
        descent.goBack()
        return steps.accepts(outcome, descent.request, time) ? nil : self
    }
}
