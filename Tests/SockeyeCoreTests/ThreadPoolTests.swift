import SockeyeCore
import Synchronization
import Testing

@Suite("A thread pool", .timeLimit(.minutes(1)))
struct ThreadPoolTests {
    private final class Counts: Sendable {
        let done = Atomic(0)
        let returned = Atomic(0)
    }

    @Test("a pool either withdraws work or returns its result, whenever the task is cancelled")
    func cancellation() async throws {
        // One thread, so that the pool does work in the order in which it was queued.
        let pool = ThreadPool(name: "test", threads: 1, queueLimit: 1000, idleTime: .seconds(1))
        let counts = Counts()
        for number in 0..<50_000 {
            let call = Task {
                try? await pool.run(isAbandoned: false) {
                    counts.done.wrappingAdd(1, ordering: .relaxed)
                    return true
                }
            }
            for _ in 0..<number % 5 { await Task.yield() }
            call.cancel()
            if await call.value != nil { counts.returned.wrappingAdd(1, ordering: .relaxed) }
        }
        try await pool.run {}
        #expect(counts.done.load(ordering: .relaxed) == counts.returned.load(ordering: .relaxed))
        #expect(counts.done.load(ordering: .relaxed) > 0)
    }
}
