#if Observability || Service
import Sockeye
import SockeyeEngine
import SockeyeHTTP

/// The keys that distinguish the series of a metric. Making a key allocates no string.
enum SeriesKey {
    struct Request: Hashable {
        /// The value of `http.request.method`.
        let method: String
        let origin: HTTPURL.Origin
        let template: String?

        init(_ exchange: CallMetrics.Exchange, _ call: ObservedCall) {
            method = HTTPConventions.method(exchange.method)
            origin = exchange.url.origin
            template = call.template(of: exchange.url)
        }
    }

    struct Result: Hashable {
        let request: Request
        let version: String?
        let status: Int?
        /// The value of `error.type`.
        let error: String?

        init(_ exchange: CallMetrics.Exchange, _ call: ObservedCall) {
            request = Request(exchange, call)
            version = exchange.protocolVersion
            status = exchange.statusCode
            error =
                if let error = exchange.error {
                    HTTPConventions.errorType(error)
                } else {
                    exchange.statusCode.flatMap(HTTPConventions.errorType(status:))
                }
        }
    }
}
#endif
