/// What an exchange ended in, as far as `send` is concerned.
package enum ExchangeOutcome: Sendable {
    /// The head, and a body that may still be on the connection.
    case response(Response)
    /// The connection left HTTP: 101, or a tunnel.
    case upgraded(Response, UpgradedConnection)
}
