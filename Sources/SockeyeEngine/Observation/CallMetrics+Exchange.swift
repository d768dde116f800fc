public import HTTPTypes
package import SockeyeCore
public import SockeyeHTTP

extension CallMetrics {
    /// The metrics of one request and its response. AFNetworking's counterpart is `NSURLSessionTaskTransactionMetrics`.
    ///
    /// Points in time are durations from the start of the call. An event that did not happen is nil.
    public struct Exchange: @unchecked Sendable {
        /// The values. All copies of this struct share them, so that a copy is cheap: each event that is sent to a
        /// monitor contains one. A change first copies the values if another copy of the struct refers to them. So no
        /// other thread reads values that are being changed.
        private var record: ExchangeRecord

        package init(
            method: HTTPRequest.Method, url: HTTPURL, start: MonotonicTime, ofCallAt call: MonotonicTime,
            resends: Int = 0
        ) {
            record = ExchangeRecord(
                ExchangeValues(
                    method: method, url: url.removingUserInfo, resends: resends, callStart: call, start: start))
        }

        /// Changes values; other copies are unaffected.
        package mutating func change(_ body: (inout ExchangeValues) -> Void) {
            if !isKnownUniquelyReferenced(&record) { record = unsafe ExchangeRecord(record.values) }
            unsafe body(&record.values)
        }

        /// The method of the request.
        public var method: HTTPRequest.Method { unsafe record.values.method }
        /// The URL of the request, without user information.
        public var url: HTTPURL { unsafe record.values.url }
        /// The number of earlier exchanges of the same call, which is the number of redirects, retries and other
        /// resends so far.
        public var resends: Int { unsafe record.values.resends }
        /// The start of the exchange, at which it asked the pool for a connection.
        public var start: Duration { unsafe record.values.start.since(record.values.callStart) }
        /// The time at which the exchange had a connection.
        public var connected: Duration? { unsafe record.values.sinceCallStart(record.values.connected) }
        /// The connection, and the durations of opening it. These lie between ``start`` and ``connected`` if the
        /// connection was opened for this exchange.
        public var connection: CallMetrics.Connection? { unsafe record.values.connection }
        /// The time at which the system had taken the whole request.
        public var sent: Duration? { unsafe record.values.sinceCallStart(record.values.sent) }
        /// The time at which the head of the final response had arrived.
        public var headReceived: Duration? { unsafe record.values.sinceCallStart(record.values.headReceived) }
        /// The time at which the content was read to its end or given up, or at which the exchange failed.
        public var end: Duration? { unsafe record.values.sinceCallStart(record.values.end) }
        /// The status of the response.
        public var status: HTTPResponse.Status? { statusCode.map { .withCode($0) } }
        package var statusCode: Int? { unsafe record.values.statusCode }
        /// The version of HTTP that the server spoke, `1.1` or `1.0`. Nil before the head of the response, and if a
        /// custom transport made the response.
        public var protocolVersion: String? { unsafe record.values.protocolVersion }
        /// The number of content bytes that the system took, without framing.
        public var bodyBytesSent: Int { unsafe record.values.bodyBytesSent }
        /// The number of content bytes read so far, including those that arrived with the head. Framing is not counted,
        /// and encoded content is counted before decoding.
        public var bodyBytesReceived: Int { unsafe record.values.bodyBytesReceived }
        /// The number of bytes received for heads, content and framing. With TLS, the number after decryption. 0 until
        /// the exchange ends. The number stays 0 if the exchange fails before its response is delivered.
        public var bytesReceived: Int { unsafe record.values.bytesReceived }
        /// The error of an exchange that failed.
        public var error: SockeyeError? { unsafe record.values.error }
        /// True until the exchange ends.
        package var isOpen: Bool { unsafe record.values.end == .distantFuture }
        /// True if the exchange has no error, even if it has not ended.
        package var isComplete: Bool { unsafe record.values.error == nil }

        // The following properties are read for every call, so each loads only the fields that it needs and avoids
        // durations of 128 bits.

        /// The time from the start of the exchange to the head of its response or to its failure, in nanoseconds. Nil
        /// before both.
        package var nanosecondsToHead: Int64? {
            let end = unsafe MonotonicTime.earlier(record.values.headReceived, record.values.end)
            return unsafe end == .distantFuture ? nil : end.nanoseconds - record.values.start.nanoseconds
        }

        /// The time from the start of the exchange until it had a connection, in nanoseconds. Nil without a connection.
        package var nanosecondsToConnection: Int64? {
            let connected = unsafe record.values.connected
            return unsafe connected == .distantFuture ? nil : connected.nanoseconds - record.values.start.nanoseconds
        }

        /// True if the connection had carried another exchange or had been idle before this exchange.
        package var isConnectionReused: Bool { unsafe record.values.connection?.isReused ?? false }
        /// True if the head of a final response arrived.
        package var hasHead: Bool { unsafe record.values.headReceived != .distantFuture }

        package func isRequest(_ method: String, to origin: HTTPURL.Origin) -> Bool {
            unsafe record.values.method.rawValue == method && record.values.url.isAt(origin)
        }

        /// Returns true if the exchange has this status and this version of HTTP (both nil before a response) and no
        /// error.
        package func isAnswered(_ status: Int?, by version: String?) -> Bool {
            unsafe record.values.statusCode == status && record.values.error == nil
                && record.values.protocolVersion == version
        }
    }
}

/// The values of a ``CallMetrics/Exchange``, which documents them. Here, points in time are readings of the clock: a
/// ``MonotonicTime`` has half the size of a `Duration`. ``MonotonicTime/distantFuture`` stands for an event that did
/// not happen.
package struct ExchangeValues: Sendable {
    package let method: HTTPRequest.Method
    package let url: HTTPURL
    package let resends: Int
    let callStart: MonotonicTime
    package let start: MonotonicTime
    package var connected = MonotonicTime.distantFuture
    package var connection: CallMetrics.Connection?
    package var sent = MonotonicTime.distantFuture
    package var headReceived = MonotonicTime.distantFuture
    package var end = MonotonicTime.distantFuture
    package var statusCode: Int?
    package var protocolVersion: String?
    package var bodyBytesSent = 0
    package var bodyBytesReceived = 0
    package var bytesReceived = 0
    package var error: SockeyeError?

    init(method: HTTPRequest.Method, url: HTTPURL, resends: Int, callStart: MonotonicTime, start: MonotonicTime) {
        (self.method, self.url, self.resends) = (method, url, resends)
        (self.callStart, self.start) = (callStart, start)
    }

    @inline(__always)
    fileprivate func sinceCallStart(_ time: MonotonicTime) -> Duration? {
        time == .distantFuture ? nil : time.since(callStart)
    }
}

/// The heap memory of a ``CallMetrics/Exchange``.
private final class ExchangeRecord {
    /// `CallObserver` changes the values only under its lock, so exclusivity checks at run time would find nothing.
    @exclusivity(unchecked) var values: ExchangeValues

    init(_ values: ExchangeValues) { unsafe self.values = values }
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
