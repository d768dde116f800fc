import HTTPTypes
import SockeyeHTTP
import SockeyeTestSupport

@testable import SockeyeEngine

/// Records the end of each upload.
final class SendingObserver: ExchangeObserver {
    let sent = Recorder<Int>()
    let metrics = CallMetrics(exchanges: [], duration: .zero)
    let exchange = 1

    func exchangeBegan(_: HTTPRequest.Method, _: HTTPURL, on _: CallMetrics.Connection?) -> Int { exchange }
    func connected(to _: CallMetrics.Connection, in _: Int) {}
    func sentBody(_: Int, of _: Int?, in _: Int) {}
    func sentRequest(in exchange: Int) { sent.append(exchange) }
    func receivedHead(_: IncomingResponse, with _: Int, in _: Int) {}
    func receivedBody(_: Int, in _: Int) {}
    func exchangeEnded(in _: Int, received _: Int?, _: SockeyeError?) {}
}
