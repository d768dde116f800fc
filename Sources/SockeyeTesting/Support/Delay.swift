import SockeyeCore
import SockeyeNet

/// A wait by the system's clock, or by one that the test moves.
struct Delay: Sendable {
    let clock: ManualClock?

    /// - Throws: `CancellationError`, and ``TestServerError`` where there are no descriptors to wait with.
    func sleep(for duration: Duration) async throws {
        guard duration > .zero else { return }
        if let clock { return try await clock.sleep(until: clock.now.advanced(by: duration)) }
        let poller = try EpollPoller.shared()
        do throws(TransportError) {
            try await poller.sleep(until: poller.time.now.advanced(by: duration))
        } catch {
            throw error.asTestError
        }
    }
}
