/// Names one thing of the pool (a connection, a waiter, a dial) for as long as it lives, and never another after it.
///
/// The slot is where it is stored; the serial tells it from earlier tenants of that slot, so that a late report
/// about something gone is recognised by one comparison instead of a look-up in a dictionary.
package struct PoolID<Kind>: Hashable, Sendable {
    let slot: UInt32

    /// The number in order of creation, for logs. It wraps after four thousand million of its kind.
    package let serial: UInt32
}

/// Tells the ids of connections from others at compile time.
package enum ConnectionKind {}
/// Tells the ids of waiters from others at compile time.
package enum WaiterKind {}
/// Tells the ids of dials from others at compile time.
package enum DialKind {}
/// Tells the ids of origins from others at compile time; they stay inside the machine.
enum OriginKind {}

package typealias ConnectionID = PoolID<ConnectionKind>
package typealias WaiterID = PoolID<WaiterKind>
package typealias DialID = PoolID<DialKind>
