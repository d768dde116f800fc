/// What ends when the pool shuts down.
package struct PoolShutdownDecision<Connection: Sendable>: Sendable {
    /// Close these.
    package var closing: [PoolClosing<Connection>] = []
    /// Fail these, in order of arrival; empty when graceful.
    package var waiters: [WaiterID] = []
    /// Abort the exchanges on these; each is still to be released. Empty when graceful.
    package var leased: [PoolLease<Connection>] = []
}
