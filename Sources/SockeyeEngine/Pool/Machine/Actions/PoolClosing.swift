/// A connection that left the pool and is to be closed by the shell.
package struct PoolClosing<Connection: Sendable>: Sendable {
    package let id: ConnectionID
    package let connection: Connection
    package let reason: PoolCloseReason
}
