import SockeyeCore

/// The decisions of the machine, which its shell (``ConnectionPool``) carries out.
extension PoolMachine {
    typealias LeaseDecision = PoolLeaseDecision<Key, Connection>
    typealias ReleaseDecision = PoolReleaseDecision<Key, Connection>
    typealias DialFailureDecision = PoolDialFailureDecision<Key>
    typealias ExhaustionDecision = PoolExhaustionDecision<Key, Connection>
    typealias LimitsDecision = PoolLimitsDecision<Key, Connection>
    typealias ShutdownDecision = PoolShutdownDecision<Connection>
    typealias Lease = PoolLease<Connection>
    typealias Closing = PoolClosing<Connection>
    typealias Dial = PoolDial<Key>
}

/// The decision on a request for a connection.
enum PoolLeaseDecision<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    /// Use this connection now, and close the expired connections found during the search.
    case use(PoolLease<Connection>, closing: SmallArray<PoolClosing<Connection>>)
    /// Suspend until a later decision serves or fails this waiter. Start the dial, if any, and close these connections:
    /// the expired ones, and possibly one that must make room for the dial.
    case wait(WaiterID, dial: PoolDial<Key>?, closing: SmallArray<PoolClosing<Connection>>)
    /// Fail at once.
    case rejected(LeaseRejection)
}

/// The reason why a request was not queued.
enum LeaseRejection: Error, Hashable {
    /// The limits already hold back `PoolLimits.maxWaiters` requests.
    case tooManyWaiters(limit: Int)
    case shutDown
}

/// The decision on a connection that was released or has just been opened.
enum PoolReleaseDecision<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    /// Do nothing. Either the connection stays open and idle (`PoolMachine.newestIdle` returns its id), or the caller
    /// released a connection that was not leased.
    case none
    /// Resume this waiter with the connection.
    case serve(WaiterID, PoolLease<Connection>)
    /// Close this connection, and start the dial, if any, that the limits allow in its place. If the key has too many
    /// idle connections, the connection to close is the least recently used of them. It may differ from the connection
    /// that was released or opened.
    case close(PoolClosing<Connection>, dial: PoolDial<Key>?)
}

/// The decision on a failed dial.
struct PoolDialFailureDecision<Key: Hashable & Sendable>: Sendable {
    /// The waiter that the dial was started for, which gets the error. Nil if that waiter no longer waits, or if the
    /// dial was started ahead of need (``PoolMachine/prewarm(_:count:now:)``).
    let failed: WaiterID?
    /// The dial to start next, for a remaining waiter of any key; nil if no waiter needs a dial that the limits allow.
    let dial: PoolDial<Key>?
}

/// The decision on a dial that failed for lack of descriptors or memory.
enum PoolExhaustionDecision<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    /// Close this idle connection, then try the same dial again; it still counts as under way.
    case retry(after: PoolClosing<Connection>)
    /// No connection is idle, so the dial has ended. This waiter, the youngest of the key's waiters that relied on a
    /// dial, now waits for a released connection instead.
    case wait(WaiterID)
    /// Treat this like an ordinary failure, because no waiter relies on the dial, or because the pool has no other
    /// connection that could become free.
    case failed(PoolDialFailureDecision<Key>)
}

/// The result of giving up a wait.
enum AbandonDecision: Sendable, Hashable {
    /// The waiter left the queue; no later decision will serve or fail it.
    case removed
    /// An earlier decision already served or failed the waiter. The shell holds the waiter's connection or error, and
    /// must release the connection.
    case alreadyServed
}

/// The decision on new limits.
struct PoolLimitsDecision<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    /// The connections to close: beyond the new limits, too old, or evicted for a waiter of another key.
    var closing: [PoolClosing<Connection>] = []
    /// The dials to start for waiters that the former limits held back.
    var dials: [PoolDial<Key>] = []
}

/// The decision on a shutdown.
struct PoolShutdownDecision<Connection: Sendable>: Sendable {
    /// The connections to close.
    var closing: [PoolClosing<Connection>] = []
    /// The waiters to fail, in order of arrival; empty if graceful.
    var waiters: [WaiterID] = []
    /// The leases with exchanges that the shell must abort; each lease must still be released. Empty if graceful.
    var leased: [PoolLease<Connection>] = []
}

/// A connection that belongs to exactly one exchange until it is released.
struct PoolLease<Connection: Sendable>: Sendable {
    let id: ConnectionID
    let connection: Connection
    /// True if the connection was idle or carried a request before. The server may have closed it unnoticed, so an
    /// exchange that fails on it before the first response byte may be repeated (RFC 9112 §9.3.1).
    let isReused: Bool
    /// The number of this exchange on the connection, counted from 1.
    let use: Int
}

/// A connection that left the pool and that the shell must close.
struct PoolClosing<Connection: Sendable>: Sendable {
    let id: ConnectionID
    let connection: Connection
    let reason: PoolCloseReason
}

/// A connection that the shell must open. The shell reports the end of the dial exactly once: with `dialSucceeded`,
/// `dialFailed`, `dialDropped`, or `dialExhausted` unless that returns `retry`.
struct PoolDial<Key: Hashable & Sendable>: Sendable, Hashable {
    let id: DialID
    private let box: Box

    var key: Key { box.key }
    /// The waiter that the dial is started for; nil for a dial ahead of need. Another waiter may get the connection.
    var waiter: WaiterID? { box.waiter }
    var started: MonotonicTime { box.started }

    init(id: DialID, key: Key, waiter: WaiterID?, started: MonotonicTime) {
        self.id = id
        box = Box(key, waiter, started)
    }

    static func == (left: PoolDial, right: PoolDial) -> Bool { left.id == right.id && left.key == right.key }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// Boxed because keys are large and dials rare: every decision of the pool has room for a dial, and hardly any
    /// contains one.
    private final class Box: Sendable {
        let key: Key
        let waiter: WaiterID?
        let started: MonotonicTime

        init(_ key: Key, _ waiter: WaiterID?, _ started: MonotonicTime) {
            (self.key, self.waiter, self.started) = (key, waiter, started)
        }
    }
}
