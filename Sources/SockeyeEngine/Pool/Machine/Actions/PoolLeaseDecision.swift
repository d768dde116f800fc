/// What becomes of a request for a connection.
package enum PoolLeaseDecision<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    /// Use this connection now, and close those found expired on the way.
    case use(PoolLease<Connection>, closing: Few<PoolClosing<Connection>>)
    /// Suspend until an action names this waiter; start the dial, and close what made room for it.
    case wait(WaiterID, dial: PoolDial<Key>?, closing: Few<PoolClosing<Connection>>)
    /// Fail at once.
    case rejected(LeaseRejection)
}
