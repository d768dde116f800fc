import SockeyeCore
import SockeyeEngine

/// The steps of a chain one by one, for a call of which nothing is to be remembered as long as nothing happens: no policy
/// has to wait, and none objects to the response.
extension InterceptorChain {
    /// Has the quick ones do to the request what they do, from its position on.
    ///
    /// - Returns: The one that has to wait for that; nil behind the last of those that follow one another.
    func descend(_ descent: inout Descent) throws(SockeyeError) -> QuickLink? {
        if let start, descent.position == 0 {
            descent.comes(to: start)
            return nil
        }
        guard let link = quickLink(at: descent.position), try !link.descend(&descent, time) else { return nil }
        return quickLink(at: descent.position)
    }

    /// Shows the outcome to those that the request has passed since `start`, from the last to the first, if it concerns any
    /// of them.
    ///
    /// - Returns: The one that does not let it pass.
    func ascend(
        _ descent: inout Descent, to start: Int = 0, with outcome: Result<Response, SockeyeError>
    ) -> QuickLink? {
        guard descent.position > start, interest.includes(outcome, of: descent.request) else { return nil }
        return quickLink(at: start)?.ascend(&descent, with: outcome, at: time)
    }

    /// Goes on with a request for which somebody has to wait.
    func goOn(with descent: Descent) async throws(SockeyeError) -> Response {
        let context = context(of: descent.request)
        return try context.conclude(await outcome(of: descent, from: 0, in: context))
    }

    /// Goes on with an outcome that concerns a policy.
    func goOn(
        with outcome: Result<Response, SockeyeError>, of descent: Descent
    ) async throws(SockeyeError) -> Response {
        var descent = descent
        guard let objecting = ascend(&descent, with: outcome) else { return try outcome.get() }
        return try await goOn(with: outcome, of: descent, objecting: objecting)
    }

    /// Goes on with an outcome to which a policy objects.
    func goOn(
        with outcome: Result<Response, SockeyeError>, of descent: Descent, objecting: QuickLink
    ) async throws(SockeyeError) -> Response {
        let context = context(of: descent.request, started: outcome.started)
        return try context.conclude(
            await self.outcome(outcome, of: descent, revisedBy: objecting, to: 0, in: context))
    }
}

extension Result<Response, SockeyeError> {
    /// When the exchange began that led to this; nil where it never did.
    fileprivate var started: MonotonicTime? {
        switch self {
        case .success(let response): response.started
        case .failure(let error): error.started
        }
    }
}
