package import SockeyeCore

/// A one-shot timer that can be signalled before it is due: a wait point without a descriptor.
///
/// All waits of the library use wait points, so that every wait has a deadline and can be cancelled.
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

    /// Ends this and every later sleep with `closed`.
    package func close() {
        point.close()
    }
}

extension Poller {
    /// Suspends until the deadline.
    ///
    /// - Throws: ``TransportError/cancelled`` if the task is cancelled.
    package func sleep(until deadline: MonotonicTime) async throws(TransportError) {
        let timer = try WaitTimer(poller: self)
        if await timer.sleep(until: deadline) == .cancelled { throw .cancelled }
    }
}

extension WaitPoint {
    /// Creates a timer of the same poller and clock.
    package func makeTimer() throws(TransportError) -> WaitTimer { try WaitTimer(poller: poller) }
}
