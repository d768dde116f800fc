extension PoolMachine {
    /// What becomes of a request for a connection.
    package enum LeaseDecision: Sendable {
        /// Use this connection now, and close those found expired on the way.
        case use(Lease, closing: Few<Closing>)
        /// Suspend until an action names this waiter; start the dial and close what made room for it.
        case wait(WaiterID, dial: Dial?, closing: Few<Closing>)
        /// Fail at once.
        case rejected(LeaseRejection)
    }

    package typealias Lease = PoolLease<Connection>
    package typealias Closing = PoolClosing<Connection>
    package typealias Dial = PoolDial<Key>
}
