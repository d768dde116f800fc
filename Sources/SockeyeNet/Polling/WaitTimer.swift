package import SockeyeCore

/// A one-shot timer that can be signalled before it is due: a wait point without a descriptor.
///
/// One primitive serves every wait of the library, so that every wait has a deadline and can be cancelled.
package final class WaitTimer: Sendable {
    private let point: WaitPoint

    package init(poller: any Poller) throws(TransportError) {
        point = try poller.makeWaitPoint(descriptor: nil)
    }

    deinit {
        point.close()
    }

    /// Suspends until `signal` (which counts if it came before), the deadline, cancellation or `close`.
    package func sleep(until deadline: MonotonicTime) async -> WaitPoint.Wake {
        await point.wait(for: .read, as: .reader, until: deadline)
    }

    /// Ends the sleep, or lets its next sleep return at once.
    package func signal() {
        point.signal(.read)
    }

    /// Ends this and every later sleep with `closed`.
    package func close() {
        point.close()
    }
}

extension Poller {
    /// Suspends until the deadline. Throws ``TransportError/cancelled`` when the task is.
    package func sleep(until deadline: MonotonicTime) async throws(TransportError) {
        let timer = try WaitTimer(poller: self)
        if await timer.sleep(until: deadline) == .cancelled { throw .cancelled }
    }
}

extension WaitPoint {
    /// A timer of the same poller, by the same clock.
    package func makeTimer() throws(TransportError) -> WaitTimer { try WaitTimer(poller: poller) }
}
