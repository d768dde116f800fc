import SockeyeCore
import Testing

@Suite("One-shot event", .timeLimit(.minutes(1)))
struct OneShotEventTests {
    @Test("The event resumes all waiting tasks, and later waits return at once")
    func happening() async {
        let event = OneShotEvent()
        await withTaskGroup { group in
            for _ in 0..<10 { group.addTask { await event.wait() } }
            event.happen()
            event.happen()
        }
        await event.wait()
    }

    @Test("A cancelled task stops waiting")
    func cancellation() async {
        let event = OneShotEvent()
        let task = Task { await event.wait() }
        task.cancel()
        await task.value
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            await event.wait()
        }
        late.cancel()
        await late.value
    }
}
