package import HTTPTypes
import SockeyeCore
package import SockeyeEngine

/// The parts of OpenTelemetry's semantic conventions for HTTP clients that logs, metrics and spans share.
///
/// Names and values are those of "Semantic conventions for HTTP spans" (stable) and "for HTTP metrics" of
/// github.com/open-telemetry/semantic-conventions, docs/http.
package enum HTTPConventions {
    /// The value of `http.request.method`: a method of RFC 9110 9.3 or PATCH (RFC 5789), otherwise `_OTHER`. So methods
    /// that callers invent do not become dimensions.
    package static func method(_ method: HTTPRequest.Method) -> String {
        isKnown(method) ? method.rawValue : "_OTHER"
    }

    /// The name of a span: the method, or `HTTP` for an unknown method.
    package static func spanName(_ method: HTTPRequest.Method) -> String {
        isKnown(method) ? method.rawValue : "HTTP"
    }

    package static func isKnown(_ method: HTTPRequest.Method) -> Bool {
        // These two are the most frequent, and comparing costs less than hashing.
        method == .get || method == .post || knownMethods.contains(method)
    }

    private static let knownMethods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch,
    ]

    /// The value of `error.type` for a response: the status, if it is 400 or higher; nil otherwise.
    package static func errorType(status: Int) -> String? { status >= 400 ? String(status) : nil }
}

/// The peer of a connection, in the form of `network.peer.address` and `network.peer.port`.
package struct PeerAddress: Sendable, Hashable {
    /// An IP address without brackets, or the path of a unix-domain socket.
    package let address: String
    /// The port; nil for a unix-domain socket.
    package let port: Int?

    /// Parses an address.
    ///
    /// - Parameter description: The address in the format of ``CallMetrics/Connection/remoteAddress``.
    package init(_ description: String) {
        if description.hasPrefix("unix:") {
            address = String(description.dropFirst("unix:".count))
            port = nil
        } else if let colon = description.utf8.lastIndex(of: UInt8(ascii: ":")) {
            address = description[..<colon].trimming("[", "]")
            port = Int(description[description.index(after: colon)...])
        } else {
            address = description
            port = nil
        }
    }
}

extension Substring {
    fileprivate func trimming(_ first: Character, _ last: Character) -> String {
        guard utf8.first == first.asciiValue, utf8.last == last.asciiValue else { return String(self) }
        return String(dropFirst().dropLast())
    }
}

extension CallMetrics.Exchange {
    /// The time from the start of the exchange to the head of its response, or to its failure. The conventions define
    /// `http.client.request.duration` and the span of an attempt by it.
    package var timeToHead: Duration? { (headReceived ?? end).map { $0 - start } }

    /// The time of the dial that the request waited for; nil if it used an existing connection.
    package var dialing: Duration? {
        guard let connection, !connection.isReused else { return nil }
        return (connection.resolving ?? .zero) + connection.connecting + (connection.handshaking ?? .zero)
    }

    /// The time that the request waited for a connection in the pool's queue, without the dial.
    package var waiting: Duration? { connected.map { max(.zero, $0 - start - (dialing ?? .zero)) } }
}

extension Duration {
    package var inSeconds: Double { Double(clampedNanoseconds) / 1e9 }
}
