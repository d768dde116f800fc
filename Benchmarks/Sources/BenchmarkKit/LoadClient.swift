/// An HTTP client under load. A later phase reuses the connections of an earlier one.
package protocol LoadClient {
    init(_ options: ClientOptions) async throws

    /// Sends requests as long as the phase admits them.
    func load(_ phase: Phase) async throws -> Tally

    /// Sends requests that are never answered, and cancels each after a short wait (``Patience``).
    func giveUp(_ phase: Phase) async throws -> Tally

    /// Returns the same client, with the same connections, for other requests.
    func retargeted(_ options: ClientOptions) throws -> Self

    /// Frees the client's resources.
    func shutDown() async throws
}

/// A client with asynchronous calls. Tasks with a loop each generate its load.
package protocol ExchangeClient: LoadClient, Sendable {
    var options: ClientOptions { get set }

    /// The executor of its tasks; nil for the default executor.
    var executor: (any TaskExecutor)? { get }

    /// Sends one request, reads the whole response, checks it and returns the number of body bytes moved.
    func exchange() async throws -> Int
}

extension ExchangeClient {
    package var executor: (any TaskExecutor)? { nil }

    package func retargeted(_ options: ClientOptions) -> Self {
        var copy = self
        copy.options = options
        return copy
    }

    package func load(_ phase: Phase) async -> Tally { await loadWithTasks(phase) }

    /// Generates the load, for clients that call it in their own context.
    package func loadWithTasks(_ phase: Phase) async -> Tally {
        await withTaskGroup(of: Void.self) { group in
            let tallies = (0..<min(options.workers, 16)).map { _ in SharedTally() }
            for index in 0..<options.workers {
                group.addTask { await worker(phase, tallies[index % tallies.count]) }
            }
            await group.waitForAll()
            return tallies.reduce(into: Tally()) { $0.merge($1.current) }
        }
    }

    private func worker(_ phase: Phase, _ tally: SharedTally) async {
        var start = MonotonicClock.now
        var count = 0
        while phase.admits(at: start, had: count) {
            count += 1
            do {
                let bytes = try await exchange()
                let end = MonotonicClock.now
                tally.record(bytes: bytes, nanoseconds: end &- start)
                start = end
            } catch {
                if tally.record(error: error) { return }
                start = MonotonicClock.now
            }
        }
    }
}
