/// The failure of an exchange, with the facts that decide if the request is sent again.
struct ExchangeFailure: Error {
    let error: SockeyeError
    /// True if no byte of a response arrived.
    let isBeforeResponse: Bool
    /// True if the connection broke, or ended before the first byte of a response. False if this client refused the
    /// response or one of its deadlines passed.
    let isConnectionLoss: Bool
    /// True if the connection accepted no byte of the request.
    let isUnsent: Bool
    /// True if the server does not support expectations (417): the request may be sent again without Expect.
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

    static var expectationRefused: ExchangeFailure {
        ExchangeFailure(
            SockeyeError(
                .init(
                    .invalidRequest, phase: .send, blame: .peer,
                    message: "the server refused Expect (417)")),
            isExpectationRefusal: true)
    }
}
