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
