public import HTTPTypes
public import SockeyeHTTP

extension CallMetrics {
    /// The metrics of one request and its response. AFNetworking's counterpart is `NSURLSessionTaskTransactionMetrics`.
    ///
    /// Points in time are durations from the start of the call. An event that did not happen is nil.
    public struct Exchange: Sendable {
        /// The method of the request.
        public let method: HTTPRequest.Method
        /// The URL of the request, without user information.
        public let url: HTTPURL
        /// The start of the exchange, at which it asked the pool for a connection.
        public let start: Duration
        /// The time at which the exchange had a connection.
        public package(set) var connected: Duration?
        /// The connection, and the durations of opening it. These lie between ``start`` and ``connected`` unless the
        /// connection was reused.
        public package(set) var connection: CallMetrics.Connection?
        /// The time at which the system had taken the whole request.
        public package(set) var sent: Duration?
        /// The time at which the head of the final response had arrived.
        public package(set) var headReceived: Duration?
        /// The time at which the content was read to its end or given up, or at which the exchange failed.
        public package(set) var end: Duration?
        /// The status of the response.
        public package(set) var status: HTTPResponse.Status?
        /// The number of content bytes that the system took, without framing.
        public package(set) var bodyBytesSent = 0
        /// The number of content bytes that the caller got, before decoding.
        public package(set) var bodyBytesReceived = 0
        /// The number of bytes received for heads, content and framing, on the wire or inside TLS.
        public package(set) var bytesReceived = 0
        /// The error of an exchange that failed.
        public package(set) var error: SockeyeError?

        package init(method: HTTPRequest.Method, url: HTTPURL, start: Duration) {
            self.method = method
            self.url = url.removingUserInfo
            self.start = start
        }
    }
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
