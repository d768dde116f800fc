package import SockeyeCore
import Synchronization

/// A wait point without a descriptor, on which a task sleeps until a deadline or until another task calls ``signal()``.
package final class WaitTimer: Sendable {
    private let point: WaitPoint

    package init(poller: any Poller) throws(TransportError) {
        point = try poller.makeWaitPoint(descriptor: nil)
    }

    deinit {
        point.close()
    }

    /// Suspends until `signal`, the deadline, cancellation or `close`. Returns at once if `signal` came before.
    package func sleep(until deadline: MonotonicTime) async -> WaitPoint.Wake {
        await point.wait(for: .read, as: .reader, until: deadline)
    }

    /// Ends the current sleep, or lets the next one return at once.
    package func signal() {
        point.signal(.read)
    }

    /// Ends the current and every later sleep with `closed`.
    package func close() {
        point.close()
    }
}

extension WaitTimer {
    private final class Slot<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    /// Returns the result of a closure, which runs in a task of its own. At the deadline, or if the calling task is
    /// cancelled, cancels the closure's task and throws without awaiting it.
    package func result<Value: Sendable>(
        of work: @escaping @Sendable () async -> Value, until deadline: MonotonicTime
    ) async throws(TransportError) -> Value {
        let slot = Slot<Value>()
        let task = Task {
            let value = await work()
            slot.value.withLock { $0 = value }
            signal()
        }
        let wake = await sleep(until: deadline)
        if let value = slot.value.withLock({ $0 }) { return value }
        task.cancel()
        try wake.check()
        throw .closed
    }
}

extension WaitPoint {
    /// Creates a timer of the same poller and clock.
    package func makeTimer() throws(TransportError) -> WaitTimer { try WaitTimer(poller: poller) }
}
