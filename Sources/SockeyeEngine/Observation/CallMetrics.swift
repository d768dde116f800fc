public import SockeyeHTTP

/// A call in figures: all its exchanges, those that were redirected, repeated or challenged included.
///
/// AFNetworking's counterpart is `NSURLSessionTaskMetrics` (`setTaskDidFinishCollectingMetricsBlock:`).
public struct CallMetrics: Sendable {
    /// The exchanges in order. The last is the one whose response was returned, unless a cache had that.
    public let exchanges: [CallMetrics.Exchange]
    /// The time from the start of the call to the end of its last exchange, or to now while that goes on; to the response where
    /// there was no exchange, since a cache had it.
    public let duration: Duration
    /// What the client's cache did for the call, in order: once for each request that came to it, so that a call has several
    /// which was redirected or repeated. Empty without one.
    public let cacheOutcomes: [CachedResponse.Outcome]

    package init(exchanges: [CallMetrics.Exchange], duration: Duration, cacheOutcomes: [CachedResponse.Outcome] = []) {
        self.exchanges = exchanges
        self.duration = duration
        self.cacheOutcomes = cacheOutcomes
    }

    /// Bytes of content that the system took, of all exchanges.
    public var bodyBytesSent: Int { exchanges.reduce(0) { $0 + $1.bodyBytesSent } }
    /// Bytes that came, of all exchanges.
    public var bytesReceived: Int { exchanges.reduce(0) { $0 + $1.bytesReceived } }
    /// Bytes of content that came from a cache's store.
    public var bytesFromStore: Int { cacheOutcomes.reduce(0) { $0 + $1.bytesFromStore } }
}

extension CallMetrics {
    /// What is known of a connection.
    public struct Connection: Sendable, Hashable {
        /// Whether it carried an exchange before.
        public package(set) var isReused: Bool
        /// The peer's address, such as `192.0.2.1:443`, `[2001:db8::1]:443` or `unix:/run/x.sock`.
        public let remoteAddress: String?
        /// Such as `TLS 1.3`; nil for plain connections.
        public let tlsVersion: String?
        /// OpenSSL's name of the cipher suite, which for TLS 1.3 is the RFC's.
        public let cipherSuite: String?
        /// Whether an earlier TLS session was resumed.
        public let isTLSResumed: Bool
        /// How long the host name took to resolve, when the connection was opened. Nil for an address or a unix-domain socket.
        public let resolving: Duration?
        /// How long the socket took to connect.
        public let connecting: Duration
        /// How long the TLS handshake took; nil for plain connections.
        public let handshaking: Duration?
    }
}

/// The durations of the steps of a dial.
package struct DialTimings: Sendable {
    package var resolving: Duration?
    package var connecting = Duration.zero
    package var handshaking: Duration?

    package init() {}
}
