/// A call in figures: all its exchanges, those that were redirected, repeated or challenged included.
///
/// AFNetworking's counterpart is `NSURLSessionTaskMetrics` (`setTaskDidFinishCollectingMetricsBlock:`).
public struct CallMetrics: Sendable {
    /// The exchanges in order. The last is the one whose response was returned.
    public let exchanges: [ExchangeMetrics]
    /// The time from the start of the call to the end of its last exchange, or to now while that goes on.
    public let duration: Duration

    package init(exchanges: [ExchangeMetrics], duration: Duration) {
        self.exchanges = exchanges
        self.duration = duration
    }

    /// Bytes of content that the system took, of all exchanges.
    public var bodyBytesSent: Int { exchanges.reduce(0) { $0 + $1.bodyBytesSent } }
    /// Bytes that came, of all exchanges.
    public var bytesReceived: Int { exchanges.reduce(0) { $0 + $1.bytesReceived } }
}
