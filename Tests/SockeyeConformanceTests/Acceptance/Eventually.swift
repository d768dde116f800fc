import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Testing

/// Checks `condition` every millisecond until it holds, for states that have no event to wait for.
///
/// - Returns: True if it held within the time.
func eventually(within limit: Duration = .seconds(10), _ condition: () async throws -> Bool) async throws -> Bool {
    let poller = try EpollPoller.shared()
    let deadline = poller.time.now.advanced(by: limit)
    while try await !condition() {
        guard poller.time.now < deadline else { return false }
        try await poller.sleep(until: poller.time.now.advanced(by: .milliseconds(1)))
    }
    return true
}

/// Returns the error that `body` throws; nil if it throws none.
func failure<Value>(_ body: () async throws -> Value) async -> (any Error)? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
