import SockeyeNet
import SockeyeTesting

@testable import Sockeye
@testable import SockeyeEngine

extension HTTPClient {
    /// A client over canned answers with a policy, on a clock that the test moves.
    static func retrying(
        _ transport: MockTransport, _ policy: RetryPolicy, clock: ManualClock = ManualClock()
    ) throws -> HTTPClient {
        let poller = try EpollPoller(time: clock.timeSource)
        return HTTPClient(
            transport: transport, interceptors: [policy], clock: CallClock(time: clock.timeSource) { poller })
    }
}

extension RetryPolicy {
    /// Without pauses and budget, unless a test is about them.
    static func plain(max: Int = 3, _ change: (inout RetryPolicy) -> Void = { _ in }) -> RetryPolicy {
        var policy = RetryPolicy.retry(max: max, backoff: .none, budget: nil)
        policy.random = { 0.5 }
        change(&policy)
        return policy
    }
}

extension SockeyeError {
    /// An error as the engine would throw it.
    static func failure(_ code: Code, in phase: Phase = .head, blame: Blame = .peer) -> SockeyeError {
        SockeyeError(.init(code, phase: phase, blame: blame, message: "as it happens"))
    }
}
