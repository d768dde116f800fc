import SockeyeNet
import SockeyeTesting

@testable import Sockeye
@testable import SockeyeEngine

extension HTTPClient {
    /// Returns a client over a mock transport with a policy. The test moves its clock.
    static func retrying(
        _ transport: MockTransport, _ policy: RetryPolicy, clock: ManualClock = ManualClock()
    ) throws -> HTTPClient {
        let poller = try EventPoller(time: clock.timeSource)
        return HTTPClient(
            transport: transport, interceptors: [policy], clock: CallClock(time: clock.timeSource) { poller })
    }
}

extension RetryPolicy {
    /// Returns a policy without pauses and budget; `change` can add them.
    static func plain(max: Int = 3, _ change: (inout RetryPolicy) -> Void = { _ in }) -> RetryPolicy {
        var policy = RetryPolicy.retry(max: max, backoff: .none, budget: nil)
        policy.random = { 0.5 }
        change(&policy)
        return policy
    }
}
