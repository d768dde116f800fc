/// An HTTP client under load. A phase after another phase goes on with the connections of the first.
package protocol LoadClient {
    init(_ options: ClientOptions) async throws

    /// Sends requests as long as the phase admits them.
    func load(_ phase: Phase) async throws -> Tally

    /// Sends requests that are never answered and gives each up after a moment (``Patience``).
    func giveUp(_ phase: Phase) async throws -> Tally

    /// The same client, with the same connections, for other requests.
    func retargeted(_ options: ClientOptions) throws -> Self

    /// Frees what the client holds.
    func shutDown() async throws
}

/// A client with asynchronous calls: load is some tasks, each in a loop.
package protocol ExchangeClient: LoadClient, Sendable {
    var options: ClientOptions { get set }

    /// Where its tasks should run; nil for where tasks usually do.
    var executor: (any TaskExecutor)? { get }

    /// Sends one request, reads the whole answer, checks it and returns the number of body bytes moved.
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

    /// The load itself, for clients that run it in surroundings of their own.
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
