import SockeyeHTTP

/// The metrics of a call: all its exchanges, including those that were redirected, repeated or challenged.
///
/// AFNetworking's counterpart is `NSURLSessionTaskMetrics` (`setTaskDidFinishCollectingMetricsBlock:`).
public struct CallMetrics: Sendable {
    /// The exchanges in order. In a successful call, the last exchange brought the response, unless a cache served it.
    public let exchanges: [CallMetrics.Exchange]
    /// The time from the start of the call to the end of its last exchange. If that exchange was still running when the
    /// metrics were read, the time until they were read. If a cache served the response without an exchange, the time
    /// to the response.
    public let duration: Duration
    /// The outcomes of the client's cache in order, one for each request that reached the cache; empty without a cache.
    public let cacheOutcomes: [CacheOutcome]

    package init(exchanges: [CallMetrics.Exchange], duration: Duration, cacheOutcomes: [CacheOutcome] = []) {
        self.exchanges = exchanges
        self.duration = duration
        self.cacheOutcomes = cacheOutcomes
    }

    /// The number of content bytes that the system accepted for sending, over all exchanges.
    public var bodyBytesSent: Int { exchanges.reduce(0) { $0 + $1.bodyBytesSent } }
    /// The number of bytes received, over all exchanges. An exchange counts 0 until it ends; see
    /// ``Exchange/bytesReceived``.
    public var bytesReceived: Int { exchanges.reduce(0) { $0 + $1.bytesReceived } }
    /// The number of content bytes that came from a cache's store.
    public var bytesFromStore: Int { cacheOutcomes.reduce(0) { $0 + $1.bytesFromStore } }
}

extension CallMetrics {
    /// The facts about a connection.
    public struct Connection: Sendable, Hashable {
        /// A reference, so that all exchanges over a connection share one copy of the facts.
        private let facts: Facts
        /// True if, before this exchange, the connection had carried another exchange or had been idle. A connection
        /// that was opened ahead of need counts as idle before its first exchange.
        public package(set) var isReused: Bool

        /// The peer's address, such as `192.0.2.1:443`, `[2001:db8::1]:443` or `unix:/run/x.sock`; nil if unknown.
        /// Through a proxy, the peer is the proxy.
        public var remoteAddress: String? { facts.values.remoteAddress }
        /// The TLS version, such as `TLS 1.3`; nil for plain connections.
        public var tlsVersion: String? { facts.values.tlsVersion }
        /// OpenSSL's name of the cipher suite. For TLS 1.3 this is the name in RFC 8446. Nil for plain connections.
        public var cipherSuite: String? { facts.values.cipherSuite }
        /// True if an earlier TLS session was resumed.
        public var isTLSResumed: Bool { facts.values.isTLSResumed }
        /// The time for resolving the host name, or the name of the proxy, when the connection was opened. Almost zero
        /// for an IP address. Nil for a unix-domain socket.
        public var resolving: Duration? { facts.values.timings.resolving }
        /// The time for connecting the socket. Through a proxy, it includes TLS with the proxy and the request for a
        /// tunnel. With TCP Fast Open the connection is made during the TLS handshake, so its time is in
        /// ``handshaking``.
        public var connecting: Duration { facts.values.timings.connecting }
        /// The time for the TLS handshake; nil for plain connections.
        public var handshaking: Duration? { facts.values.timings.handshaking }

        init(_ values: ConnectionFacts, isReused: Bool) {
            facts = Facts(values)
            self.isReused = isReused
        }

        /// Returns true if all facts are equal.
        public static func == (left: CallMetrics.Connection, right: CallMetrics.Connection) -> Bool {
            left.isReused == right.isReused && left.facts.values == right.facts.values
        }

        /// Hashes all facts.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(isReused)
            hasher.combine(facts.values)
        }

        private final class Facts: Sendable {
            let values: ConnectionFacts

            init(_ values: ConnectionFacts) { self.values = values }
        }
    }

    /// The facts about a connection that do not change.
    struct ConnectionFacts: Sendable, Hashable {
        let remoteAddress: String?
        let tlsVersion: String?
        let cipherSuite: String?
        let isTLSResumed: Bool
        let timings: DialTimings
    }
}

/// The durations of the steps of a dial.
package struct DialTimings: Sendable, Hashable {
    package var resolving: Duration?
    package var connecting = Duration.zero
    package var handshaking: Duration?

    package init() {}
}
