package import HTTPTypes
package import SockeyeEngine

/// OpenTelemetry's semantic conventions for HTTP clients, as far as logs, metrics and spans share them.
///
/// Names and values are those of "Semantic conventions for HTTP spans" (stable) and "for HTTP metrics" of
/// github.com/open-telemetry/semantic-conventions, docs/http.
package enum HTTPConventions {
    /// `http.request.method`: one of RFC 9110 9.3 or PATCH (RFC 5789); `_OTHER` for all else, so that what callers make up
    /// does not become a dimension.
    package static func method(_ method: HTTPRequest.Method) -> String {
        isKnown(method) ? method.rawValue : "_OTHER"
    }

    /// The name of a span: the method, and `HTTP` for one that is not known.
    package static func spanName(_ method: HTTPRequest.Method) -> String {
        isKnown(method) ? method.rawValue : "HTTP"
    }

    package static func isKnown(_ method: HTTPRequest.Method) -> Bool {
        // Most are, and comparing costs less than hashing.
        method == .get || method == .post || knownMethods.contains(method)
    }

    private static let knownMethods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch,
    ]

    /// `error.type` of a response: a status from 400 on, as a client counts them.
    package static func errorType(status: Int) -> String? { status >= 400 ? String(status) : nil }
}

/// The peer of a connection, as `network.peer.address` and `network.peer.port` have it.
package struct PeerName: Sendable, Hashable {
    /// An IP address without brackets, or the path of a unix-domain socket.
    package let address: String
    /// Nil for a unix-domain socket.
    package let port: Int?

    /// - Parameter description: As of ``CallMetrics/Connection/remoteAddress``.
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
    /// The time that its request took until the head of the response was there, or the failure: what the conventions let both
    /// `http.client.request.duration` and the span of an attempt last.
    package var timeToHead: Duration? { (headReceived ?? end).map { $0 - start } }

    /// The time of the dial that the request waited for; nil with a connection that was there.
    package var dialing: Duration? {
        guard let connection, !connection.isReused else { return nil }
        return (connection.resolving ?? .zero) + connection.connecting + (connection.handshaking ?? .zero)
    }

    /// The time that its request stood in the pool's line: until it had a connection, without the dial.
    package var waiting: Duration? { connected.map { max(.zero, $0 - start - (dialing ?? .zero)) } }
}

extension Duration {
    /// Whole nanoseconds, as far as they fit.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLong ? .max : product.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }

    package var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}
