package import HTTPTypes
package import SockeyeHTTP

/// An observer of the exchanges of one call.
package protocol ExchangeObserver: AnyObject, Sendable {
    /// The metrics of the call so far.
    var metrics: CallMetrics { get }

    /// The number of the exchange that began last, counted from 1; 0 before the first exchange.
    var exchange: Int { get }

    /// Reports the start of an exchange.
    ///
    /// - Parameter connection: The connection; nil if the exchange waits for a connection or needs no connection.
    /// - Returns: The number of the exchange, to be passed to the other methods, because a task may report after the
    ///   next exchange has begun. 0 if the call has already returned: an exchange that the cache then starts in the
    ///   background is not a part of the call, and the other methods ignore it.
    @discardableResult
    func exchangeBegan(
        _ method: HTTPRequest.Method, _ url: HTTPURL, on connection: CallMetrics.Connection?
    ) -> Int

    func connected(to facts: CallMetrics.Connection, in exchange: Int)

    /// Reports that more of the body was sent.
    ///
    /// - Parameters:
    ///   - bytes: The number of body bytes sent so far.
    ///   - total: The declared length of the body; nil if unknown.
    func sentBody(_ bytes: Int, of total: Int?, in exchange: Int)

    /// Reports that the whole request was sent.
    func sentRequest(in exchange: Int)

    /// Reports that the head of the final response arrived.
    ///
    /// - Parameter bytes: The number of bytes of the body that arrived with the head.
    func receivedHead(_ response: IncomingResponse, with bytes: Int, in exchange: Int)

    /// - Parameter bytes: The number of bytes in this piece, not the total.
    func receivedBody(_ bytes: Int, in exchange: Int)

    /// Reports the end of an exchange. Later reports about this exchange, by any method, have no effect.
    ///
    /// - Parameters:
    ///   - received: The number of bytes received, including heads and framing; nil if unknown.
    ///   - error: The error of an exchange that failed.
    func exchangeEnded(in exchange: Int, received: Int?, _ error: SockeyeError?)
}

extension ExchangeObserver {
    /// Reports the start of an exchange that waits for a connection, or needs none.
    @discardableResult
    package func exchangeBegan(_ method: HTTPRequest.Method, _ url: HTTPURL) -> Int {
        exchangeBegan(method, url, on: nil)
    }

    /// Reports that the entire request was sent at once.
    package func sentRequest(withBody bytes: Int, in exchange: Int) {
        if bytes > 0 { sentBody(bytes, of: bytes, in: exchange) }
        sentRequest(in: exchange)
    }

    /// Reports a head that arrived without any bytes of the body.
    package func receivedHead(_ response: IncomingResponse, in exchange: Int) {
        receivedHead(response, with: 0, in: exchange)
    }

    /// Reports the end of an exchange that failed, or for which bytes are not counted.
    package func exchangeEnded(in exchange: Int, _ error: SockeyeError? = nil) {
        exchangeEnded(in: exchange, received: nil, error)
    }

    /// Reports the end of an exchange that brought a response.
    package func exchangeEnded(in exchange: Int, received: Int) {
        exchangeEnded(in: exchange, received: received, nil)
    }
}
