/// An HTTP client under load. A phase after another phase goes on with the connections of the first.
package protocol LoadClient {
    init(_ options: ClientOptions) async throws

    /// Sends requests as long as the phase admits them.
    func load(_ phase: Phase) async throws -> Tally

    /// Frees what the client holds.
    func shutDown() async throws
}

/// A client with asynchronous calls: load is as many tasks as there are connections, each in a loop.
package protocol ExchangeClient: LoadClient, Sendable {
    var options: ClientOptions { get }

    /// Sends one request, reads the whole answer, checks it and returns the number of body bytes moved.
    func exchange() async throws -> Int
}

extension ExchangeClient {
    package func load(_ phase: Phase) async -> Tally { await loadWithTasks(phase) }

    /// The load itself, for clients that run it in surroundings of their own.
    package func loadWithTasks(_ phase: Phase) async -> Tally {
        await withTaskGroup(of: Tally.self) { group in
            for _ in 0..<options.connections {
                group.addTask { await worker(phase) }
            }
            var sum = Tally()
            for await tally in group { sum.merge(tally) }
            return sum
        }
    }

    private func worker(_ phase: Phase) async -> Tally {
        var tally = Tally()
        var start = MonotonicClock.now
        while phase.admits(at: start), !tally.isHopeless {
            do {
                let bytes = try await exchange()
                let end = MonotonicClock.now
                tally.record(bytes: bytes, nanoseconds: end &- start)
                start = end
            } catch {
                tally.record(error: error)
                start = MonotonicClock.now
            }
        }
        return tally
    }
}
