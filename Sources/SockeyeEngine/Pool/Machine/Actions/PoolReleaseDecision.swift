/// What becomes of a connection that got free, or was just opened.
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
