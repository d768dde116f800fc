public import SockeyeHTTP

/// The metrics of a call: all its exchanges, including those that were redirected, repeated or challenged.
///
/// AFNetworking's counterpart is `NSURLSessionTaskMetrics` (`setTaskDidFinishCollectingMetricsBlock:`).
public struct CallMetrics: Sendable {
    /// The exchanges in order. The last one brought the response, unless a cache served it.
    public let exchanges: [CallMetrics.Exchange]
    /// The time from the start of the call to the end of its last exchange, or to now while that is running. If a cache
    /// served the response without an exchange, the time to the response.
    public let duration: Duration
    /// The outcomes of the client's cache, in order, one for each request that reached it; a call that was redirected
    /// or repeated has several. Empty without a cache.
    public let cacheOutcomes: [CachedResponse.Outcome]

    package init(exchanges: [CallMetrics.Exchange], duration: Duration, cacheOutcomes: [CachedResponse.Outcome] = []) {
        self.exchanges = exchanges
        self.duration = duration
        self.cacheOutcomes = cacheOutcomes
    }

    /// The number of content bytes that the system took, over all exchanges.
    public var bodyBytesSent: Int { exchanges.reduce(0) { $0 + $1.bodyBytesSent } }
    /// The number of bytes received, over all exchanges.
    public var bytesReceived: Int { exchanges.reduce(0) { $0 + $1.bytesReceived } }
    /// The number of content bytes that came from a cache's store.
    public var bytesFromStore: Int { cacheOutcomes.reduce(0) { $0 + $1.bytesFromStore } }
}

extension CallMetrics {
    /// The facts about a connection.
    public struct Connection: Sendable, Hashable {
        /// True if the connection carried an exchange before.
        public package(set) var isReused: Bool
        /// The peer's address, such as `192.0.2.1:443`, `[2001:db8::1]:443` or `unix:/run/x.sock`.
        public let remoteAddress: String?
        /// The TLS version, such as `TLS 1.3`; nil for plain connections.
        public let tlsVersion: String?
        /// OpenSSL's name of the cipher suite; for TLS 1.3 it is that of the RFC.
        public let cipherSuite: String?
        /// True if an earlier TLS session was resumed.
        public let isTLSResumed: Bool
        /// The time for resolving the host name, when the connection was opened. Nil for an address or a unix-domain
        /// socket.
        public let resolving: Duration?
        /// The time for connecting the socket.
        public let connecting: Duration
        /// The time for the TLS handshake; nil for plain connections.
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
