package import SockeyeCore
package import SockeyeNet
import Synchronization

/// The result of a closure, awaited up to a deadline. If the closure has not returned by then, or if the waiting task
/// is cancelled, the closure's task is cancelled and not awaited.
package struct DeadlineRunner: Sendable {
    private let deadline: MonotonicTime
    private let poller: any Poller

    package init(deadline: MonotonicTime, poller: any Poller) {
        self.deadline = deadline
        self.poller = poller
    }

    private final class Slot<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    package func run<Value: Sendable>(
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
