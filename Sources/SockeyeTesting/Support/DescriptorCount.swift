import SockeyeCore
import SockeyeNet
import SockeyePlatform

/// The number of descriptors that this process has open, for finding sockets and files that were never closed.
public enum DescriptorCount {
    /// Returns the number of open descriptors; 0 if the system does not report it.
    ///
    /// Tests that run concurrently open descriptors as well, so compare values only in a process that runs no other
    /// test.
    public static func current() -> Int {
        // The poller's descriptors stay open for the life of the process. They are opened here, because descriptors
        // opened between two counts would look like a leak.
        _ = try? EventPoller.shared()
        return SystemProcess.descriptorCount ?? 0
    }

    /// Suspends until at most `limit` descriptors are open, checking every millisecond.
    ///
    /// - Returns: The last count; it exceeds `limit` only if the time ran out.
    /// - Throws: `CancellationError`; or ``TestServerError`` with the code `cannotStart` if the wait cannot begin.
    public static func settle(atMost limit: Int, within timeout: Duration = .seconds(30)) async throws -> Int {
        do throws(TransportError) {
            let poller = try EventPoller.shared()
            let deadline = poller.time.now.advanced(by: timeout)
            while current() > limit, poller.time.now < deadline {
                try await poller.sleep(until: poller.time.now.advanced(by: .milliseconds(1)))
            }
        } catch {
            throw error.asWaitError
        }
        return current()
    }
}
