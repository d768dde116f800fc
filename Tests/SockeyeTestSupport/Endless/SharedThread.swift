package import SockeyeNet
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
    /// - Parameters:
    ///   - poller: The poller whose thread is shared; nil makes one.
    ///   - read: Calls its parameter with the size of each unit that it has read.
    /// - Returns: The largest number of units that the reader has read without suspending, and the reader's outcome.
    package static func cancel(
        on poller: EventPoller? = nil,
        _ read: @escaping @Sendable (@escaping @Sendable (Int) -> Void) async throws -> Void
    ) async throws -> (most: Int, outcome: Result<Void, any Error>) {
        let (poller, count) = (try poller ?? EventPoller(), Count())
        // The reader and the first turn are enqueued before either begins, since this task occupies their thread.
        let result = await Task(executorPreference: poller) {
            let reading = Task(executorPreference: poller) { try await read { count.add($0) } }
            let most = await withCheckedContinuation { (last: CheckedContinuation<Int, Never>) in
                take(turn: 1, after: (most: 0, count: 0), of: count, on: poller) { most in
                    reading.cancel()
                    last.resume(returning: most)
                }
            }
            return (most: most, outcome: await reading.result)
        }.value
        withExtendedLifetime(poller) {}
        return result
    }

    /// Enqueues a turn of the other task on the thread. `Task.yield()` would not do, because it goes through the global
    /// pool, whose threads a busy machine may stop for a while.
    private static func take(
        turn: Int, after last: (most: Int, count: Int), of count: Count, on poller: EventPoller,
        end: @escaping @Sendable (_ most: Int) -> Void
    ) {
        Task(executorPreference: poller) {
            let value = count.value
            let most = max(last.most, value - last.count)
            if turn == turns {
                end(most)
            } else {
                take(turn: turn + 1, after: (most, value), of: count, on: poller, end: end)
            }
        }
    }
}
