public import Sockeye

extension CookieJar {
    /// Makes a jar whose cookies expire by a clock that the test moves.
    public init(
        limits: ClientCookie.Limits = ClientCookie.Limits(), trustsLoopback: Bool = true, clock: ManualClock
    ) {
        self.init(limits: limits, trustsLoopback: trustsLoopback, time: clock.timeSource)
    }
}
