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
    /// Use this connection now, and close those found expired on the way.
    case use(PoolLease<Connection>, closing: SmallArray<PoolClosing<Connection>>)
    /// Suspend until an action names this waiter; start the dial, and close what made room for it.
    case wait(WaiterID, dial: PoolDial<Key>?, closing: SmallArray<PoolClosing<Connection>>)
    /// Fail at once.
    case rejected(LeaseRejection)
}

/// Why a request was not even queued.
package enum LeaseRejection: Error, Hashable {
    /// As many requests as `PoolLimits.maxWaiters` allows are held back by the limits already.
    case tooManyWaiters(limit: Int)
    case shutDown
}

/// The decision on a connection that got free, or was just opened.
package enum PoolReleaseDecision<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    /// It stays open, idle: `PoolMachine.newestIdle` tells its id to a shell that watches idle connections. (Or
    /// nothing is to be done, the report being about something gone.)
    case none
    /// Resume this waiter with it.
    case serve(WaiterID, PoolLease<Connection>)
    /// Close this connection; start the dial that its place allows. It may be another than the one that got free:
    /// when one too many is idle, the least recently used of the key goes.
    case close(PoolClosing<Connection>, dial: PoolDial<Key>?)
}

/// The decision on a failed dial.
package struct PoolDialFailureDecision<Key: Hashable & Sendable>: Sendable {
    /// Gets the error. Nil when nobody waits, or when other dials suffice for all who do.
    package let failed: WaiterID?
    /// A new attempt for those who still wait, of whatever key.
    package let dial: PoolDial<Key>?
}

/// The decision on a dial for which the system had no descriptor or memory left.
package enum PoolExhaustionDecision<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    /// Close this idle connection, then try the same dial again: it is still under way.
    case retry(after: PoolClosing<Connection>)
    /// The dial is over. The waiter that it was for waits for a connection that gets free, now with the deadline
    /// of waiters without a dial.
    case wait(WaiterID)
    /// Nothing is open that could make room: a failure like any other.
    case failed(PoolDialFailureDecision<Key>)
}

/// The result of giving up a wait.
package enum AbandonDecision: Sendable, Hashable {
    /// It left the queue; no action will name it.
    case removed
    /// An action named it before: the shell holds its connection or its error, and must release the connection.
    case alreadyServed
}

/// The decision on new limits.
package struct PoolLimitsDecision<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    /// Close these: they are too many, too old, or in the place of a connection that is waited for.
    package var closing: [PoolClosing<Connection>] = []
    /// Start these for waiters that the former limits held back.
    package var dials: [PoolDial<Key>] = []
}

/// The decision on a shutdown: what ends.
package struct PoolShutdownDecision<Connection: Sendable>: Sendable {
    /// Close these.
    package var closing: [PoolClosing<Connection>] = []
    /// Fail these, in order of arrival; empty when graceful.
    package var waiters: [WaiterID] = []
    /// Abort the exchanges on these; each is still to be released. Empty when graceful.
    package var leased: [PoolLease<Connection>] = []
}

/// A connection that belongs to exactly one exchange until it is released.
package struct PoolLease<Connection: Sendable>: Sendable {
    package let id: ConnectionID
    package let connection: Connection
    /// It was idle or carried a request before: the server may have closed it unnoticed, so an exchange that fails
    /// on it without a byte of response may be repeated (RFC 9112 §9.3.1).
    package let isReused: Bool
    /// Which exchange of the connection this is, from 1.
    package let use: Int
}

/// A connection that left the pool and is to be closed by the shell.
package struct PoolClosing<Connection: Sendable>: Sendable {
    package let id: ConnectionID
    package let connection: Connection
    package let reason: PoolCloseReason
}

/// A connection that the shell is to open; it reports the end with `dialSucceeded` or `dialFailed`, exactly once.
package struct PoolDial<Key: Hashable & Sendable>: Sendable, Hashable {
    package let id: DialID
    private let box: Box

    package var key: Key { box.key }

    init(id: DialID, key: Key) {
        self.id = id
        box = Box(key)
    }

    package static func == (left: PoolDial, right: PoolDial) -> Bool { left.id == right.id && left.key == right.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// Keys are large and dials rare: every decision of the pool has room for one, and hardly any has one.
    private final class Box: Sendable {
        let key: Key

        init(_ key: Key) { self.key = key }
    }
}

/// Small array: nearly always empty or of one element, and allocates only beyond that.
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
