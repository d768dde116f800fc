package import HTTPTypes
package import SockeyeCore
package import SockeyeHTTP

/// An observer of the exchanges of one call. The engine owns the protocol, so that it need not know the observing
/// types.
package protocol ExchangeObserver: AnyObject, Sendable {
    /// The metrics of the call so far.
    var metrics: CallMetrics { get }

    /// The number of the exchange that began last.
    var exchange: Int { get }

    /// - Parameter connection: The connection, if the exchange had one at once; nil if it waits for one.
    func exchangeBegan(_ method: HTTPRequest.Method, _ url: HTTPURL, on connection: CallMetrics.Connection?)

    func connected(to facts: CallMetrics.Connection)

    /// - Parameter exchange: The exchange that the body belongs to. The body is sent by a task of its own, which may
    ///   report late.
    func sentBody(_ bytes: Int, of total: Int?, in exchange: Int)

    /// - Parameter exchange: As in ``sentBody(_:of:in:)``; nil for the running exchange.
    func sentRequest(in exchange: Int?)

    /// The head of the final response arrived.
    ///
    /// - Parameter bytes: The number of bytes of the body that arrived with it.
    func receivedHead(_ response: IncomingResponse, with bytes: Int)

    /// - Parameter bytes: The number of bytes in this piece.
    func receivedBody(_ bytes: Int)

    /// Reports the end of an exchange; further calls for the same exchange have no effect.
    func exchangeEnded(received: Int?, _ error: SockeyeError?)
}

extension ExchangeObserver {
    /// Reports the start of an exchange that waits for a connection, or needs none.
    package func exchangeBegan(_ method: HTTPRequest.Method, _ url: HTTPURL) { exchangeBegan(method, url, on: nil) }

    /// Reports that the entire request was sent at once.
    package func sentRequest(withBody bytes: Int) {
        if bytes > 0 { sentBody(bytes, of: bytes, in: exchange) }
        sentRequest(in: nil)
    }

    /// Reports a head without content.
    package func receivedHead(_ response: IncomingResponse) { receivedHead(response, with: 0) }

    /// Reports the end of an exchange that failed, or for which bytes are not counted.
    package func exchangeEnded(_ error: SockeyeError? = nil) { exchangeEnded(received: nil, error) }

    /// Reports the end of an exchange that brought a response.
    package func exchangeEnded(received: Int) { exchangeEnded(received: received, nil) }
}
