package import SockeyeCore
package import SockeyeNet

/// Runs a closure in a task and waits for its result up to a deadline. If the closure has not returned by then, or if
/// the waiting task is cancelled, the closure's task is cancelled and not awaited.
package struct DeadlineRunner: Sendable {
    private let deadline: MonotonicTime
    private let poller: any Poller

    package init(deadline: MonotonicTime, poller: any Poller) {
        self.deadline = deadline
        self.poller = poller
    }

    /// Returns the result of the closure. Throws `timedOut` at the deadline and `cancelled` if the waiting task is
    /// cancelled.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws(TransportError) -> Result<Value, any Error> {
        let attempt: @Sendable () async -> Result<Value, any Error> = {
            do { return .success(try await work()) } catch { return .failure(error) }
        }
        return try await WaitTimer(poller: poller).result(of: attempt, until: deadline)
    }
}
