public import Sockeye

extension HTTPClient {
    /// Makes a client over sockets whose deadlines, idle times and retries follow a clock that the test moves.
    ///
    /// It has a poller thread of its own, which ends with the client.
    public init(configuration: Configuration = Configuration(), clock: ManualClock) {
        self.init(configuration: configuration, time: clock.timeSource)
    }
}
