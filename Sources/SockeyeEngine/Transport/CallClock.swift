package import SockeyeCore
package import SockeyeNet

/// The clock by which the interceptors of a client, such as the retry policy, measure time, and the poller on which
/// they sleep.
package struct CallClock: Sendable {
    package let time: TimeSource
    package let poller: @Sendable () throws(TransportError) -> EventPoller

    package init(time: TimeSource = .system, poller: @escaping @Sendable () throws(TransportError) -> EventPoller) {
        self.time = time
        self.poller = poller
    }

    /// The system's clock with the poller that all clients of the process share.
    package static let system = CallClock { () throws(TransportError) in try EventPoller.shared() }

    package func sleep(until deadline: MonotonicTime) async throws(TransportError) {
        try await poller().sleep(until: deadline)
    }
}
