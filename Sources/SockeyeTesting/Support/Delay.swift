import SockeyeCore
import SockeyeNet

/// A wait by the system's clock, or by a clock that the test moves.
struct Delay: Sendable {
    let clock: ManualClock?

    /// Suspends for a duration.
    ///
    /// - Throws: `CancellationError`, or ``TestServerError`` if no descriptors are available for waiting.
    func sleep(for duration: Duration) async throws {
        guard duration > .zero else { return }
        if let clock { return try await clock.sleep(until: clock.now.advanced(by: duration)) }
        let poller = try EventPoller.shared()
        do throws(TransportError) {
            try await poller.sleep(until: poller.time.now.advanced(by: duration))
        } catch {
            throw error.asTestError
        }
    }
}
