import SockeyeNet
import Synchronization

/// A reader and another task that share one thread.
package enum SharedThread {
    private final class Count: Sendable {
        private let number = Atomic(0)
        var value: Int { number.load(ordering: .relaxed) }
        func add(_ more: Int) { number.wrappingAdd(more, ordering: .relaxed) }
    }

    /// The number of times that the other task runs before it cancels the reader.
    package static let turns = 4

    /// Runs a reader on a separate thread, together with another task that runs whenever the reader suspends. The other
    /// task cancels the reader when it has run ``turns`` times.
    ///
    /// - Parameter read: Calls its parameter with the size of each unit that it has read.
    /// - Returns: The largest number of units that the reader has read without suspending, and the reader's outcome.
    package static func cancel(
        _ read: @escaping @Sendable (@escaping @Sendable (Int) -> Void) async throws -> Void
    ) async throws -> (most: Int, outcome: Result<Void, any Error>) {
        let (poller, count) = (try EventPoller(), Count())
        // Both tasks are enqueued before either begins, since this task occupies their thread.
        let result = await Task(executorPreference: poller) {
            let reading = Task(executorPreference: poller) { try await read { count.add($0) } }
            let ending = Task(executorPreference: poller) {
                var (most, last) = (0, 0)
                for _ in 0..<turns {
                    most = max(most, count.value - last)
                    last = count.value
                    await Task.yield()
                }
                reading.cancel()
                return max(most, count.value - last)
            }
            return (most: await ending.value, outcome: await reading.result)
        }.value
        withExtendedLifetime(poller) {}
        return result
    }
}
