import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// Counts requests for a budget, which is all that a ``RetryPolicy`` does to most of them.
struct RetryCounting: RequestPreparing {
    let budget: RetryBudget

    func prepare(
        _ request: Request, adding fields: inout AddedFields, at time: TimeSource
    ) throws(SockeyeError) -> Preparation {
        budget.deposit(for: request.parts.url, at: time)
        return .ready
    }
}
