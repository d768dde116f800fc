public import HTTPTypes
public import SockeyeHTTP

extension CallMetrics {
    /// The metrics of one request and its response. AFNetworking's counterpart is `NSURLSessionTaskTransactionMetrics`.
    ///
    /// Points in time are durations from the start of the call. An event that did not happen is nil.
    public struct Exchange: @unchecked Sendable {
        /// By reference and copied on write, because each event has a copy. Written only while uniquely referenced.
        private var record: ExchangeRecord

        package init(method: HTTPRequest.Method, url: HTTPURL, start: Duration, resends: Int = 0) {
            record = ExchangeRecord(
                ExchangeValues(method: method, url: url.removingUserInfo, resends: resends, start: start))
        }

        /// Changes values; other copies are unaffected.
        package mutating func change(_ body: (inout ExchangeValues) -> Void) {
            if !isKnownUniquelyReferenced(&record) { record = ExchangeRecord(record.values) }
            body(&record.values)
        }

        @inline(__always)
        private func read<Value>(_ body: (borrowing ExchangeValues) -> Value) -> Value {
            body(record.values)
        }

        /// The method of the request.
        public var method: HTTPRequest.Method { read { $0.method } }
        /// The URL of the request, without user information.
        public var url: HTTPURL { read { $0.url } }
        /// The number of exchanges of the call before this one: redirects, retries and other resends.
        public var resends: Int { read { $0.resends } }
        /// The start of the exchange, at which it asked the pool for a connection.
        public var start: Duration { read { $0.start } }
        /// The time at which the exchange had a connection.
        public var connected: Duration? { read { $0.connected } }
        /// The connection, and the durations of opening it. These lie between ``start`` and ``connected`` unless the
        /// connection was reused.
        public var connection: CallMetrics.Connection? { read { $0.connection } }
        /// The time at which the system had taken the whole request.
        public var sent: Duration? { read { $0.sent } }
        /// The time at which the head of the final response had arrived.
        public var headReceived: Duration? { read { $0.headReceived } }
        /// The time at which the content was read to its end or given up, or at which the exchange failed.
        public var end: Duration? { read { $0.end } }
        /// The status of the response.
        public var status: HTTPResponse.Status? { statusCode.map { .withCode($0) } }
        /// The code of ``status``.
        package var statusCode: Int? { read { $0.statusCode } }
        /// The version of HTTP that the server spoke, `1.1` or `1.0`. Nil before the head of the response, and if a
        /// custom transport made the response.
        public var protocolVersion: String? { read { $0.protocolVersion } }
        /// The number of content bytes that the system took, without framing.
        public var bodyBytesSent: Int { read { $0.bodyBytesSent } }
        /// The number of content bytes that the caller got, before decoding.
        public var bodyBytesReceived: Int { read { $0.bodyBytesReceived } }
        /// The number of bytes received for heads, content and framing, on the wire or inside TLS.
        public var bytesReceived: Int { read { $0.bytesReceived } }
        /// The error of an exchange that failed.
        public var error: SockeyeError? { read { $0.error } }
        /// True without an error; copies nothing.
        package var isComplete: Bool { read { $0.error == nil } }
    }
}

/// The values of a ``CallMetrics/Exchange``, which documents them.
package struct ExchangeValues: Sendable {
    package let method: HTTPRequest.Method
    package let url: HTTPURL
    package let resends: Int
    package let start: Duration
    package var connected: Duration?
    package var connection: CallMetrics.Connection?
    package var sent: Duration?
    package var headReceived: Duration?
    package var end: Duration?
    package var statusCode: Int?
    package var protocolVersion: String?
    package var bodyBytesSent = 0
    package var bodyBytesReceived = 0
    package var bytesReceived = 0
    package var error: SockeyeError?

    init(method: HTTPRequest.Method, url: HTTPURL, resends: Int, start: Duration) {
        (self.method, self.url, self.resends, self.start) = (method, url, resends, start)
    }
}

/// The heap memory of a ``CallMetrics/Exchange``.
private final class ExchangeRecord {
    var values: ExchangeValues

    init(_ values: ExchangeValues) { self.values = values }
}

extension CallMetrics.Exchange: CustomStringConvertible {
    /// For example `GET https://example.com/: 200, connected 12 ms, sent 12 ms, head 40 ms, end 41 ms, 1256 bytes`.
    public var description: String {
        let points: [(String, Duration?)] = [
            ("connected", connected), ("sent", sent), ("head", headReceived), ("end", end),
        ]
        let status: String? = status.map { "\($0.code)" }
        var parts: [String] = [status ?? error.map { "\($0.code)" } ?? "under way"]
        for case (let name, let time?) in points { parts.append("\(name) \(Self.milliseconds(time - start))") }
        parts.append("\(bytesReceived) bytes")
        return "\(method) \(url.masked): " + parts.joined(separator: ", ")
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        guard microseconds < 10_000 else { return "\(microseconds / 1000) ms" }
        let fraction = String(microseconds % 1000 + 1000).dropFirst()
        return "\(microseconds / 1000).\(fraction) ms"
    }
}
