package import HTTPTypes
import SockeyeCore
package import SockeyeEngine

/// The parts of OpenTelemetry's semantic conventions for HTTP clients that logs, metrics and spans share.
///
/// Names and values are those of two documents: "Semantic conventions for HTTP spans" (stable) and "Semantic
/// conventions for HTTP metrics". Both are in the folder docs/http of github.com/open-telemetry/semantic-conventions.
package enum HTTPConventions {
    /// The value of `http.request.method`: the method, or `_OTHER` for an unknown method.
    package static func method(_ method: HTTPRequest.Method) -> String {
        KnownMethods.ofProcess.contains(method) ? method.rawValue : "_OTHER"
    }

    /// The name of a span: the method (`HTTP` for an unknown method), then the template of the URL if there is one.
    package static func spanName(_ method: HTTPRequest.Method, _ template: String?) -> String {
        let name = KnownMethods.ofProcess.contains(method) ? method.rawValue : "HTTP"
        return template.map { "\(name) \($0)" } ?? name
    }

    /// The value of `error.type` for a response: the status, if it is 400 or higher; nil otherwise.
    package static func errorType(status: Int) -> String? { status >= 400 ? String(status) : nil }

    /// The value of `error.type` for an error: the name of its code. Nil for a cancelled call, because its caller ended
    /// it on purpose.
    package static func errorType(_ error: SockeyeError) -> String? {
        error.code == .cancelled ? nil : error.code.description
    }
}

extension CallMetrics.Exchange {
    /// The duration of the dial (name resolution, connect, TLS handshake) that the request waited for; nil if it used
    /// an existing connection or got no connection.
    package var dialing: Duration? {
        guard let connection, !connection.isReused else { return nil }
        return (connection.resolving ?? .zero) + connection.connecting + (connection.handshaking ?? .zero)
    }

    /// The time that the request waited in the pool's queue for a connection, without the dial; nil if the request got
    /// no connection.
    package var waiting: Duration? { connected.map { max(.zero, $0 - start - (dialing ?? .zero)) } }
}

extension Duration {
    package var inSeconds: Double { Double(clampedNanoseconds) / 1e9 }
}
