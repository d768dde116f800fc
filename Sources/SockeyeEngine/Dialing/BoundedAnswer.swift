import SockeyeCore
import SockeyeNet
import Synchronization

/// The answer of a closure of the caller's, which is waited for until a deadline at most. One that has not ended by then, or when
/// the task that waits is cancelled, is cancelled and left to itself.
struct BoundedAnswer: Sendable {
    let deadline: MonotonicTime
    let poller: any Poller

    private final class Slot<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    func of<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws(TransportError) -> Result<Value, any Error> {
        let timer = try WaitTimer(poller: poller)
        let slot = Slot<Value>()
        let task = Task {
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            slot.result.withLock { $0 = result }
            timer.signal()
        }
        let wake = await timer.sleep(until: deadline)
        if let result = slot.result.withLock({ $0 }) { return result }
        task.cancel()
        try wake.check()
        throw .cancelled
    }
}
