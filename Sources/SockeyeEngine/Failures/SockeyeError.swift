package import SockeyeCore
package import SockeyeHTTP

/// The one error type of the library.
///
/// It answers, in this order: what happened (``code-swift.property``), when (``phase``), who is to blame (``blame``),
/// to which request (``method``, ``url`` without secrets, ``attempt``), against which limit or deadline
/// (``limit-swift.property``), and why (``message``, ``underlying``). Codes are an open set: a later version may add
/// some, so a `switch` over them needs a `default`.
///
/// Neither field values nor bodies nor credentials ever stand in ``description``.
public struct SockeyeError: Error, Sendable {
    private let storage: Storage

    /// Everything in one box, so that passing the error around stays as cheap as passing a reference.
    private final class Storage: Sendable {
        let fields: Fields
        init(_ fields: Fields) { self.fields = fields }
    }

    package struct Fields: Sendable {
        package var code: Code
        package var phase: Phase
        package var blame: Blame
        package var message: String
        /// Whether the message is text of several lines of this library, which are not to be escaped.
        package var hasLines = false
        package var limit: Limit?
        package var request: RequestIdentity?
        package var attempt = 1
        package var underlying: (any Error)?
        package var response: SockeyeError.Evidence?
        package var decoding: DecodingDetails?
        package var proxyFailure: ProxyFailure?
        package var history: [PriorExchange] = []
        /// What the layer above keeps with the error, such as what a download needs to go on.
        package var attachment: (any Sendable)?
        /// When the exchange began that failed; nil of what failed before.
        package var started: MonotonicTime?
        /// Whether a connection was there and took no byte of the request.
        package var isUnsent = false

        package init(_ code: Code, phase: Phase, blame: Blame, message: String) {
            self.code = code
            self.phase = phase
            self.blame = blame
            self.message = message
        }
    }

    package var fields: Fields { storage.fields }
    /// When the exchange began that failed; nil of what failed before.
    package var started: MonotonicTime? { fields.started }

    package init(_ fields: Fields) {
        storage = Storage(fields)
    }

    /// Whether no byte of the request was sent, so that it can be sent again whatever its method.
    package var isUnsent: Bool {
        switch phase {
        case .pool, .resolve, .connect, .tls: true
        default: fields.isUnsent
        }
    }

    /// What happened.
    public var code: Code { fields.code }
    /// In which phase of the exchange it happened.
    public var phase: Phase { fields.phase }
    /// Whose fault it is, as far as can be told.
    public var blame: Blame { fields.blame }
    /// One sentence for people, without secrets. Control characters of a peer or a file are escaped, as in `\u{1B}`.
    public var message: String { fields.hasLines ? fields.message : fields.message.printable }
    /// The limit or deadline that was passed, with its configured and its seen value.
    public var limit: Limit? { fields.limit }
    /// The method of the request; nil when the error came before there was one.
    public var method: String? { fields.request?.method }
    /// The URL of the request without user information, and with `***` for the values of secret query items (tokens,
    /// signatures, keys); nil when the error came before there was a request.
    public var url: String? { fields.request?.url.masked }
    /// Which attempt at the request failed, counting from 1; more than 1 after a replay.
    public var attempt: Int { fields.attempt }
    /// What lies below: the error of the caller's body producer, of a resolver, of a serializer.
    public var underlying: (any Error)? { fields.underlying }
    /// The response that was refused, where there was one: its head and the first bytes of its body.
    public var response: SockeyeError.Evidence? { fields.response }
    /// Where in the body decoding failed; nil of other failures.
    public var decoding: DecodingDetails? { fields.decoding }

    /// The exchanges of the call before the one that failed: redirects, attempts that were repeated, challenges that were
    /// answered. The oldest first.
    public var history: [PriorExchange] { fields.history }

    /// The same error, of this request unless it is known to be of another.
    package func about(_ request: RequestIdentity?) -> SockeyeError {
        guard let request, fields.request == nil else { return self }
        return with { $0.request = request }
    }

    /// The same error with more known about it.
    package func with(_ change: (inout Fields) -> Void) -> SockeyeError {
        var fields = fields
        change(&fields)
        return SockeyeError(fields)
    }
}

/// The request that an error belongs to.
package struct RequestIdentity: Sendable {
    package let method: String
    package let url: HTTPURL

    package init(method: String, url: HTTPURL) {
        self.method = method
        self.url = url
    }
}

extension SockeyeError: CustomStringConvertible {
    /// For example `timeout in head: no response within 5.0 seconds (GET https://example.com/x, blame: peer)`.
    public var description: String {
        var details: [String] = []
        if let method, let url { details.append("\(method) \(url)") }
        details.append("blame: \(blame)")
        if attempt > 1 { details.append("attempt \(attempt)") }
        if !history.isEmpty { details.append("after \(history.count) exchanges") }
        if let limit { details.append(limit.description) }
        return "\(code) in \(phase): \(message) (\(details.joined(separator: ", ")))"
    }
}
