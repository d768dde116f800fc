package import HTTPTypes
package import SockeyeHTTP

/// An observer of the exchanges of one call. The engine owns the protocol, so that it need not name what listens.
package protocol ExchangeObserver: AnyObject, Sendable {
    /// The figures so far.
    var metrics: CallMetrics { get }

    /// The number of the exchange that was begun last.
    var exchange: Int { get }

    func exchangeBegan(_ method: HTTPRequest.Method, _ url: HTTPURL)

    func connected(to facts: CallMetrics.Connection)

    /// - Parameter exchange: The one that it belongs to. A body has a task of its own, which may be late.
    func sentBody(_ bytes: Int, of total: Int?, in exchange: Int)

    /// - Parameter exchange: As of ``sentBody(_:of:in:)``.
    func sentRequest(in exchange: Int)

    /// The head of the final response arrived.
    func receivedHead(_ response: IncomingResponse)

    /// - Parameter bytes: How many came now.
    func receivedBody(_ bytes: Int)

    /// The end of an exchange; a second one is none.
    func exchangeEnded(received: Int?, _ error: SockeyeError?)
}

extension ExchangeObserver {
    /// All of the request went out at once.
    package func sentRequest(withBody bytes: Int) {
        let exchange = exchange
        if bytes > 0 { sentBody(bytes, of: bytes, in: exchange) }
        sentRequest(in: exchange)
    }

    /// The end of an exchange that failed, or whose bytes are not counted.
    package func exchangeEnded(_ error: SockeyeError? = nil) { exchangeEnded(received: nil, error) }

    /// The end of an exchange that had an answer.
    package func exchangeEnded(received: Int) { exchangeEnded(received: received, nil) }
}
