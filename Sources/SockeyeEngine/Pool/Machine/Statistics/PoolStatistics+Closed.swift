extension PoolStatistics {
    /// Connections the pool closed, by reason.
    public struct Closed: Sendable, Hashable {
        /// The exchange ended in a way that forbids reuse, or the server announced the end.
        public package(set) var notReusable = 0
        /// Unused for longer than the idle time-out or than the server's `Keep-Alive: timeout`.
        public package(set) var idleTimeout = 0
        /// Older than the maximum age.
        public package(set) var maxAge = 0
        /// Carried as many requests as allowed.
        public package(set) var maxUses = 0
        /// More idle connections than are kept for one origin.
        public package(set) var idleLimit = 0
        /// Gave its place to a connection that was waited for.
        public package(set) var evicted = 0
        /// The server closed it, or sent bytes nobody asked for, while it was unused.
        public package(set) var closedByPeer = 0
        /// Idle connections were closed on demand.
        public package(set) var onDemand = 0
        /// The client was shut down.
        public package(set) var shutDown = 0

        /// All reasons together.
        public var total: Int {
            PoolCloseReason.allCases.reduce(0) { $0 + self[$1] }
        }
    }
}

extension PoolStatistics.Closed {
    subscript(reason: PoolCloseReason) -> Int {
        get { self[keyPath: Self.field(of: reason)] }
        set { self[keyPath: Self.field(of: reason)] = newValue }
    }

    private static func field(of reason: PoolCloseReason) -> WritableKeyPath<Self, Int> {
        switch reason {
        case .notReusable: \.notReusable
        case .idleTimeout: \.idleTimeout
        case .maxAge: \.maxAge
        case .maxUses: \.maxUses
        case .idleLimit: \.idleLimit
        case .evicted: \.evicted
        case .closedByPeer: \.closedByPeer
        case .onDemand: \.onDemand
        case .shutDown: \.shutDown
        }
    }
}
