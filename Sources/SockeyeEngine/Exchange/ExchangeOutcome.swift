/// What an exchange ended in, as far as `send` is concerned.
@usableFromInline package enum ExchangeOutcome: Sendable {
    /// The head, and a body that may still be on the connection.
    case response(IncomingResponse)
    /// The connection left HTTP: 101, or a tunnel.
    case upgraded(IncomingResponse, UpgradedConnection)

    /// The response, for those who did not ask for a connection of their own: a tunnel is of no use to them.
    @inlinable package func answer() -> IncomingResponse {
        switch self {
        case .response(let response): return response
        case .upgraded(let response, let connection):
            connection.close()
            return response
        }
    }
}

/// How an exchange failed, and what that says about sending the request again.
struct ExchangeFailure: Error {
    let error: SockeyeError
    /// Not one byte of a response came.
    let isBeforeResponse: Bool
    /// The connection broke or ended; nothing was refused, and no deadline of ours passed.
    let isConnectionLoss: Bool
    /// Not one byte of the request was taken.
    let isUnsent: Bool
    /// The server does not do expectations (417): the request may be sent again without.
    let isExpectationRefusal: Bool

    init(
        _ error: SockeyeError, isBeforeResponse: Bool = false, isConnectionLoss: Bool = false, isUnsent: Bool = false,
        isExpectationRefusal: Bool = false
    ) {
        self.error = error
        self.isBeforeResponse = isBeforeResponse
        self.isConnectionLoss = isConnectionLoss
        self.isUnsent = isUnsent
        self.isExpectationRefusal = isExpectationRefusal
    }
}
