import SockeyeCore
import SockeyeNet
import SockeyePlatform

/// How many descriptors this process has open: sockets and files that nobody closed show here.
public enum DescriptorCount {
    /// The number of open descriptors now, or 0 where `/proc` is not mounted.
    ///
    /// Other tests that run at the same time count too: compare values of a test process that does nothing else.
    public static func current() -> Int {
        // Its two descriptors stay for the life of the process; opened in between they would look like a leak.
        _ = try? EpollPoller.shared()
        guard let names = try? SystemFile.names(in: "/proc/self/fd") else { return 0 }
        return names.count { !$0.hasPrefix(".") } - 1  // the directory's own
    }

    /// Suspends until at most `limit` descriptors are open, looking every millisecond: closing may be another task's
    /// business, which has no event to wait for.
    ///
    /// - Returns: The last count, which is above `limit` only when the time was not enough.
    public static func settle(atMost limit: Int, within timeout: Duration = .seconds(30)) async throws -> Int {
        let poller = try EpollPoller.shared()
        let deadline = poller.time.now.advanced(by: timeout)
        while current() > limit, poller.time.now < deadline {
            try await poller.sleep(until: poller.time.now.advanced(by: .milliseconds(1)))
        }
        return current()
    }
}
