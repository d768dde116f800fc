import SockeyeCore
import SockeyeNet

/// A wait by the system's clock, or by a clock that the test moves.
struct Delay: Sendable {
    let clock: ManualClock?

    /// Suspends for a duration.
    ///
    /// - Throws: `CancellationError`; or ``TestServerError`` with the code `cannotStart` if the shared poller (event
    ///   loop) cannot be created, for example for lack of descriptors.
    func sleep(for duration: Duration) async throws {
        guard duration > .zero else { return }
        if let clock { return try await clock.sleep(until: clock.now.advanced(by: duration)) }
        do throws(TransportError) {
            let poller = try EventPoller.shared()
            try await poller.sleep(until: poller.time.now.advanced(by: duration))
        } catch {
            throw error.asWaitError
        }
    }
}
