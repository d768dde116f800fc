extension PoolStatistics {
    /// What the pool holds of one origin.
    public struct Origin: Sendable, Hashable {
        /// Describes the origin without secrets, such as `https://example.com:443`. Two entries may read the same when
        /// they differ only in TLS settings or proxy.
        public let name: String
        /// Connections that are open and unused.
        public let idle: Int
        /// Connections that carry an exchange.
        public let leased: Int
        /// Connections being opened.
        public let dialling: Int
        /// Requests that wait for a connection.
        public let waiting: Int
    }
}
