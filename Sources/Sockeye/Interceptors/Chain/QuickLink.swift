import SockeyeCore

/// A policy in its place in a chain, and those of its kind that follow it.
///
/// By reference, and behind it by its own type: calling a policy as `any QuickInterceptor` copies it each time, which costs
/// several times what its steps do. And from one to the next rather than through an array, whose elements are retained when
/// they are looked at.
protocol QuickLink: AnyObject, Sendable {
    /// Has this policy and those that follow it do to the request what they do.
    ///
    /// - Returns: The one that has to wait for that; nil behind the last of them.
    func descend(_ descent: inout Descent, at time: TimeSource) throws(SockeyeError) -> (any QuickInterceptor)?

    /// Shows the outcome to those that the request has passed, from the last of them to this one.
    ///
    /// - Returns: The one that does not let it pass.
    func ascend(
        _ descent: inout Descent, with outcome: Result<Response, SockeyeError>, at time: TimeSource
    ) -> (any QuickInterceptor)?
}

/// The link of one type of policies.
private final class PolicyLink<Policy: QuickInterceptor>: QuickLink {
    private let policy: Policy
    private let position: Int
    private let next: (any QuickLink)?

    init(_ policy: Policy, at position: Int, before next: (any QuickLink)?) {
        self.policy = policy
        self.position = position
        self.next = next
    }

    func descend(_ descent: inout Descent, at time: TimeSource) throws(SockeyeError) -> (any QuickInterceptor)? {
        switch try policy.prepare(descent.request, at: time) {
        case .ready: descent.goOn()
        case .adding(let field, let note): descent.add(field, note: note)
        case .replacing(let request): descent.replace(by: request)
        case .waiting: return policy
        }
        return try next?.descend(&descent, at: time)
    }

    func ascend(
        _ descent: inout Descent, with outcome: Result<Response, SockeyeError>, at time: TimeSource
    ) -> (any QuickInterceptor)? {
        if descent.position > position + 1, let objecting = next?.ascend(&descent, with: outcome, at: time) {
            return objecting
        }
        descent.goBack()
        return policy.accepts(outcome, of: descent.request, at: time) ? nil : policy
    }
}

extension QuickInterceptor {
    /// This policy as a link of a chain.
    func link(at position: Int, before next: (any QuickLink)?) -> any QuickLink {
        PolicyLink(self, at: position, before: next)
    }
}
