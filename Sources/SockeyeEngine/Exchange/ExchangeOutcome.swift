/// The result of an exchange: a response, or a connection that left HTTP.
@usableFromInline package enum ExchangeOutcome: Sendable {
    /// A response with its head, and a body that may still be on the connection.
    case response(IncomingResponse)
    /// The connection left HTTP, after a 101 or for a tunnel.
    case upgraded(IncomingResponse, UpgradedConnection)

    /// Returns only the response. After a requested upgrade the response itself holds the connection. The connection of
    /// a tunnel is closed, because the caller of this function cannot use it.
    @inlinable package func answer() -> IncomingResponse {
        switch self {
        case .response(let response): return response
        case .upgraded(let response, let connection):
            if !response.holdsConnection { connection.close() }
            return response
        }
    }
}
