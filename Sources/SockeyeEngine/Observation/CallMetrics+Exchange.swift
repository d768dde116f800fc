public import HTTPTypes
public import SockeyeHTTP

extension CallMetrics {
    /// One request and its response, in figures. AFNetworking's counterpart is `NSURLSessionTaskTransactionMetrics`.
    ///
    /// Points in time are durations from the start of the call. What did not come to pass is nil.
    public struct Exchange: Sendable {
        /// The method of the request.
        public let method: HTTPRequest.Method
        /// The URL of the request, without user information.
        public let url: HTTPURL
        /// When it began, which is when it asked the pool for a connection.
        public let start: Duration
        /// When it had a connection.
        public package(set) var connected: Duration?
        /// What the connection was, and how long opening it took. Those durations lie within ``start`` and ``connected``
        /// when the connection is not a reused one.
        public package(set) var connection: CallMetrics.Connection?
        /// When the system had taken all of the request.
        public package(set) var sent: Duration?
        /// When the head of the final response was there.
        public package(set) var headReceived: Duration?
        /// When the content was read to its end or given up, or the exchange had failed.
        public package(set) var end: Duration?
        /// The status of the response.
        public package(set) var status: HTTPResponse.Status?
        /// Bytes of content that the system took, framing not counted.
        public package(set) var bodyBytesSent = 0
        /// Bytes of content that the caller got, codings not undone.
        public package(set) var bodyBytesReceived = 0
        /// Bytes that came, of heads, content and framing, as they were on the wire or inside of TLS.
        public package(set) var bytesReceived = 0
        /// Why it failed.
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
