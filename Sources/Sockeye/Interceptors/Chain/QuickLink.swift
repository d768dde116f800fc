import SockeyeCore

/// A policy in its place in a chain, for the two steps that every request takes.
///
/// By reference, and behind it by its own type: calling a policy as `any QuickInterceptor` copies it each time, which costs
/// several times what the steps do.
protocol QuickLink: AnyObject, Sendable {
    /// The policy, for steps that are seldom taken.
    var interceptor: any QuickInterceptor { get }

    func prepare(_ request: Request, at time: TimeSource) throws(SockeyeError) -> Request?

    func accepts(_ outcome: Result<Response, SockeyeError>, of request: Request, at time: TimeSource) -> Bool
}

/// The link of one type of policies.
private final class PolicyLink<Policy: QuickInterceptor>: QuickLink {
    private let policy: Policy

    init(_ policy: Policy) { self.policy = policy }

    var interceptor: any QuickInterceptor { policy }

    func prepare(_ request: Request, at time: TimeSource) throws(SockeyeError) -> Request? {
        try policy.prepare(request, at: time)
    }

    func accepts(_ outcome: Result<Response, SockeyeError>, of request: Request, at time: TimeSource) -> Bool {
        policy.accepts(outcome, of: request, at: time)
    }
}

extension QuickInterceptor {
    /// This policy as a link of a chain.
    var link: any QuickLink { PolicyLink(self) }
}
