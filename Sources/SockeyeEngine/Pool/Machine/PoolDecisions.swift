package import SockeyeCore

/// The decisions of the machine, which its shell (``ConnectionPool``) carries out.
extension PoolMachine {
    package typealias LeaseDecision = PoolLeaseDecision<Key, Connection>
    package typealias ReleaseDecision = PoolReleaseDecision<Key, Connection>
    package typealias DialFailureDecision = PoolDialFailureDecision<Key>
    package typealias ExhaustionDecision = PoolExhaustionDecision<Key, Connection>
    package typealias LimitsDecision = PoolLimitsDecision<Key, Connection>
    package typealias ShutdownDecision = PoolShutdownDecision<Connection>
    package typealias Lease = PoolLease<Connection>
    package typealias Closing = PoolClosing<Connection>
    package typealias Dial = PoolDial<Key>
}

/// The decision on a request for a connection.
package enum PoolLeaseDecision<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    /// Use this connection now, and close the expired connections found during the search.
    case use(PoolLease<Connection>, closing: SmallArray<PoolClosing<Connection>>)
    /// Suspend until an action names this waiter; start the dial, and close the connections that made room for it.
    case wait(WaiterID, dial: PoolDial<Key>?, closing: SmallArray<PoolClosing<Connection>>)
    /// Fail at once.
    case rejected(LeaseRejection)
}

/// The reason why a request was not even queued.
package enum LeaseRejection: Error, Hashable {
    /// The limits already hold back `PoolLimits.maxWaiters` requests.
    case tooManyWaiters(limit: Int)
    case shutDown
}

/// The decision on a connection that was released or has just been opened.
package enum PoolReleaseDecision<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    /// The connection stays open and idle. A shell that watches idle connections gets the connection's id from
    /// `PoolMachine.newestIdle`. Also the result if the reported connection no longer exists.
    case none
    /// Resume this waiter with the connection.
    case serve(WaiterID, PoolLease<Connection>)
    /// Close this connection, and start the dial that its place allows. The closed connection may be another than the
    /// reported one: if too many are idle, the least recently used one of the key is closed.
    case close(PoolClosing<Connection>, dial: PoolDial<Key>?)
}

/// The decision on a failed dial.
package struct PoolDialFailureDecision<Key: Hashable & Sendable>: Sendable {
    /// The waiter that gets the error: the one that the dial was started for. Nil if that waiter no longer waits.
    package let failed: WaiterID?
    /// A new attempt for the remaining waiters, of any key.
    package let dial: PoolDial<Key>?
}

/// The decision on a dial that failed for lack of descriptors or memory.
package enum PoolExhaustionDecision<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    /// Close this idle connection, then try the same dial again; it still counts as under way.
    case retry(after: PoolClosing<Connection>)
    /// The dial has ended. Its waiter now waits for a released connection, with the deadline of waiters that have no
    /// dial.
    case wait(WaiterID)
    /// No idle connection can make room: an ordinary failure.
    case failed(PoolDialFailureDecision<Key>)
}

/// The result of giving up a wait.
package enum AbandonDecision: Sendable, Hashable {
    /// The waiter left the queue; no action will name it.
    case removed
    /// An action already named the waiter. The shell holds the waiter's connection or error, and must release the
    /// connection.
    case alreadyServed
}

/// The decision on new limits.
package struct PoolLimitsDecision<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    /// The connections to close: surplus, too old, or evicted for a waiter of another key.
    package var closing: [PoolClosing<Connection>] = []
    /// The dials to start for waiters that the former limits held back.
    package var dials: [PoolDial<Key>] = []
}

/// The decision on a shutdown.
package struct PoolShutdownDecision<Connection: Sendable>: Sendable {
    /// The connections to close.
    package var closing: [PoolClosing<Connection>] = []
    /// The waiters to fail, in order of arrival; empty if graceful.
    package var waiters: [WaiterID] = []
    /// The leases with exchanges that the shell must abort. Each must still be released. Empty if graceful.
    package var leased: [PoolLease<Connection>] = []
}

/// A connection that belongs to exactly one exchange until it is released.
package struct PoolLease<Connection: Sendable>: Sendable {
    package let id: ConnectionID
    package let connection: Connection
    /// True if the connection was idle or carried a request before. The server may have closed it unnoticed, so an
    /// exchange that fails on it before the first response byte may be repeated (RFC 9112 §9.3.1).
    package let isReused: Bool
    /// The number of this exchange on the connection, counted from 1.
    package let use: Int
}

/// A connection that left the pool and that the shell must close.
package struct PoolClosing<Connection: Sendable>: Sendable {
    package let id: ConnectionID
    package let connection: Connection
    package let reason: PoolCloseReason
}

/// A connection that the shell must open. The shell reports the end with `dialSucceeded` or `dialFailed`, exactly once.
package struct PoolDial<Key: Hashable & Sendable>: Sendable, Hashable {
    package let id: DialID
    private let box: Box

    package var key: Key { box.key }
    /// The waiter that the dial is started for; nil for a dial ahead of need. Another waiter may get the connection.
    package var waiter: WaiterID? { box.waiter }
    package var started: MonotonicTime { box.started }

    init(id: DialID, key: Key, waiter: WaiterID?, started: MonotonicTime) {
        self.id = id
        box = Box(key, waiter, started)
    }

    package static func == (left: PoolDial, right: PoolDial) -> Bool { left.id == right.id && left.key == right.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }

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

/// A small array. It is nearly always empty or of one element, and allocates only for more.
package struct SmallArray<Element> {
    private var first: Element?
    private var rest: [Element] = []

    package init() {}

    package var isEmpty: Bool { first == nil }

    mutating func append(_ element: Element) {
        if first == nil {
            first = element
        } else {
            rest.append(element)
        }
    }
}

extension SmallArray: Sequence {
    package struct Iterator: IteratorProtocol {
        fileprivate var first: Element?
        fileprivate var rest: ArraySlice<Element>

        package mutating func next() -> Element? {
            guard let first else { return rest.popFirst() }
            self.first = nil
            return first
        }
    }

    package func makeIterator() -> Iterator {
        Iterator(first: first, rest: rest[...])
    }
}

extension SmallArray: Sendable where Element: Sendable {}
