package import SockeyeCore

extension Poller {
    /// Suspends until the deadline.
    ///
    /// - Throws: ``TransportError/cancelled`` if the task is cancelled. The poller's error if no timer can be created.
    package func sleep(until deadline: MonotonicTime) async throws(TransportError) {
        let timer = try WaitTimer(poller: self)
        if await timer.sleep(until: deadline) == .cancelled { throw .cancelled }
    }
}
