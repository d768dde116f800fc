import SockeyeCore
import SockeyeNet

/// A wait by the system's clock, or by a clock that the test moves.
struct Delay: Sendable {
    let clock: ManualClock?

    /// Suspends for a duration.
    ///
    /// - Throws: `CancellationError`; or `TransportError` if the shared poller (event loop) cannot be created, for
    ///   example for lack of descriptors.
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
