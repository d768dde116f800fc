/// What a client's connection pool holds at one moment, and what it did since it was made.
public struct PoolStatistics: Sendable, Hashable {
    /// Connections that are open and unused.
    public package(set) var idle = 0
    /// Connections that carry an exchange.
    public package(set) var leased = 0
    /// Connections being opened.
    public package(set) var dialling = 0
    /// Requests that wait for a connection.
    public package(set) var waiting = 0

    /// Connections opened so far.
    public package(set) var created = 0
    /// Requests so far that got a connection which had been open before.
    public package(set) var reused = 0
    /// Attempts so far to open a connection that failed.
    public package(set) var dialsFailed = 0
    /// Requests so far that could not get a connection at once, whether they waited for a limit or for a dial.
    public package(set) var waits = 0
    /// Requests so far that gave up waiting, cancelled or past the deadline of the pool.
    public package(set) var abandoned = 0
    /// Requests so far that were refused at once, since too many waited or the client was shut down.
    public package(set) var rejected = 0
    /// Connections the pool closed so far, by reason.
    public package(set) var closed = Closed()

    /// The same by origin, in no particular order; only origins that the pool holds something of at this moment.
    public package(set) var origins: [Origin] = []

    /// Connections that gave their place to one that was waited for.
    public var evictions: Int { closed.evicted }

    init() {}
}
