package import SockeyeCore
import SockeyeHTTP

/// The error type of all operations of a client. A parser that needs no client may have an error type of its own, such
/// as `HTTPURL.Fault`.
///
/// The properties of an error answer: what happened (``code-swift.property``), in which phase (``phase``), by which
/// party's fault (``blame``), and why (``message``, ``underlying``).
///
/// ``description`` never contains header field values, bodies or credentials.
public struct SockeyeError: Error, Sendable {
    private let storage: Storage

    /// All fields in one box, so that passing the error costs no more than passing a reference.
    private final class Storage: Sendable {
        let fields: Fields
        init(_ fields: Fields) { self.fields = fields }
    }

    package struct Fields: Sendable {
        package var code: Code
        package var phase: Phase
        package var blame: Blame
        package var message: String
        /// True if the message consists of several lines of the library's own text, which are not escaped.
        package var hasLines = false
        package var limit: Limit?
        package var request: RequestIdentity?
        package var attempt = 1
        package var underlying: (any Error)?
        package var response: SockeyeError.Evidence?
        package var decoding: DecodingDetails?
        package var proxyFailure: ProxyFailure?
        package var history: [PriorExchange] = []
        /// A value that a module above the engine keeps with the error, such as the state for resuming a download.
        package var attachment: (any Sendable)?
        /// The start of the exchange that failed; nil if the call failed before an exchange.
        package var started: MonotonicTime?
        /// True if there was a connection and it took no byte of the request.
        package var isUnsent = false
        /// True if several calls shared the exchange that failed, and another of these calls has already received the
        /// error.
        package var isShared = false

        package init(_ code: Code, phase: Phase, blame: Blame, message: String) {
            self.code = code
            self.phase = phase
            self.blame = blame
            self.message = message
        }
    }

    package var fields: Fields { storage.fields }
    package var started: MonotonicTime? { fields.started }

    package init(_ fields: Fields) {
        storage = Storage(fields)
    }

    /// True if no byte of the request was sent. Such a request can be sent again, regardless of its method.
    package var isUnsent: Bool {
        switch phase {
        case .pool, .resolve, .connect, .tls: true
        default: fields.isUnsent
        }
    }

    /// The kind of failure.
    public var code: Code { fields.code }
    /// The phase of the exchange in which the failure happened.
    public var phase: Phase { fields.phase }
    /// The party at fault, as far as known.
    public var blame: Blame { fields.blame }
    /// A text for people, usually one sentence, without secrets. Control characters from a peer or a file are escaped,
    /// as in `\u{1B}`.
    public var message: String { fields.hasLines ? fields.message : fields.message.printable }
    /// The limit or deadline that was exceeded, with its configured value and the value seen; nil for other failures.
    public var limit: Limit? { fields.limit }
    /// The method of the request; nil if the error occurred before there was a request.
    public var method: String? { fields.request?.method }
    /// The URL of the request without user information, and with `***` for the values of secret query items (tokens,
    /// signatures, keys). Nil if the error occurred before there was a request.
    public var url: String? { fields.request?.url.masked }
    /// The number of the attempt that failed, counted from 1.
    public var attempt: Int { fields.attempt }
    /// The error that caused this one, for example an error of a body producer, a resolver, a serializer, TLS or the
    /// system; nil if no other error caused it.
    public var underlying: (any Error)? { fields.underlying }
    /// The response that was refused, if any: its head and the first bytes of its body.
    public var response: SockeyeError.Evidence? { fields.response }
    /// The place in the body where decoding failed; nil for other failures.
    public var decoding: DecodingDetails? { fields.decoding }

    /// The exchanges of the call before the failed one, oldest first: redirects, repeated attempts, answered
    /// challenges.
    public var history: [PriorExchange] { fields.history }

    /// Returns the same error for this request, unless it already names a request.
    package func about(_ request: RequestIdentity?) -> SockeyeError {
        guard let request, fields.request == nil else { return self }
        return with { $0.request = request }
    }

    /// Returns the same error with changed fields.
    package func with(_ change: (inout Fields) -> Void) -> SockeyeError {
        var fields = fields
        change(&fields)
        return SockeyeError(fields)
    }
}

extension SockeyeError: CustomStringConvertible {
    /// For example `timeout in head: no response came in time (GET https://example.com/x, blame: peer, limit
    /// timeouts.head: 5.0 seconds)`.
    public var description: String {
        var details: [String] = []
        if let method, let url { details.append("\(method) \(url)") }
        details.append("blame: \(blame)")
        if attempt > 1 { details.append("attempt \(attempt)") }
        if !history.isEmpty { details.append("after \(history.count) exchange\(history.count == 1 ? "" : "s")") }
        if let limit { details.append(limit.description) }
        return "\(code) in \(phase): \(message) (\(details.joined(separator: ", ")))"
    }
}
