import SockeyeCore

/// A policy in its place in a chain, and those of its kind that follow it.
///
/// From one to the next, since an element of an array is retained when it is looked at.
final class QuickLink: Sendable {
    let interceptor: any QuickInterceptor
    private let steps: QuickSteps
    private let position: Int
    private let next: QuickLink?

    init(_ interceptor: any QuickInterceptor, at position: Int, before next: QuickLink?) {
        self.interceptor = interceptor
        steps = interceptor.steps
        self.position = position
        self.next = next
    }

    /// Has this policy and those that follow it do to the request what they do.
    ///
    /// - Returns: The one that has to wait for that; nil behind the last of them.
    func descend(_ descent: inout Descent, at time: TimeSource) throws(SockeyeError) -> QuickLink? {
        switch try steps.prepare?(descent.request, time) {
        case nil, .ready: descent.goOn()
        case .adding(let field): descent.add(field)
        case .replacing(let request): descent.replace(by: request)
        case .waiting: return self
        }
        return try next?.descend(&descent, at: time)
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
