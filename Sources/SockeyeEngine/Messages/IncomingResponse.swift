public import HTTPTypes
public import SockeyeCore
import SockeyeEssentials
public import SockeyeHTTP
public import SockeyeNet

/// A response: the head now, the body when you read it.
///
/// The body stays on the connection until you iterate ``body``. Reading it to the end returns the connection to the
/// pool. Releasing the response earlier closes the connection, or drains the body if little is left. Fields are parsed
/// into `Headers` when they are first requested.
public struct IncomingResponse: Sendable {
    @usableFromInline package let head: ResponseStorage
    /// A `CallHistory` if the response has a history or a cache outcome. Otherwise only the observer of the call,
    /// which saves an allocation; nil without an observer.
    private let annotation: (any AnyObject & Sendable)?

    private final class CallHistory: Sendable {
        let history: [PriorExchange]
        let observer: (any ExchangeObserver)?
        let cacheOutcome: CacheOutcome?

        init(
            _ history: [PriorExchange], _ observer: (any ExchangeObserver)?, _ cacheOutcome: CacheOutcome?
        ) {
            self.history = history
            self.observer = observer
            self.cacheOutcome = cacheOutcome
        }
    }

    package init(_ head: ResponseStorage) {
        self.head = head
        annotation = nil
    }

    private init(_ head: ResponseStorage, _ annotation: (any AnyObject & Sendable)?) {
        self.head = head
        self.annotation = annotation
    }

    private var callHistory: CallHistory? { annotation as? CallHistory }

    package func with(_ history: [PriorExchange], _ observer: (any ExchangeObserver)?) -> IncomingResponse {
        let outcome = callHistory?.cacheOutcome
        if history.isEmpty, outcome == nil { return IncomingResponse(head, observer) }
        return IncomingResponse(head, CallHistory(history, observer, outcome))
    }

    /// Returns the same response, history and metrics included, with another head and content.
    func with(_ head: ResponseStorage) -> IncomingResponse { IncomingResponse(head, annotation) }

    package func withCacheOutcome(_ outcome: CacheOutcome) -> IncomingResponse {
        IncomingResponse(head, CallHistory(history, observer, outcome))
    }

    /// The outcome of the client's cache for this response; nil without a cache.
    public var cacheOutcome: CacheOutcome? { callHistory?.cacheOutcome }

    /// Makes a response from its parts; for transports of your own and for tests.
    public init(status: HTTPResponse.Status, headers: Headers = [:], body: Bytes = Bytes(), url: HTTPURL) {
        self.init(
            ResponseStorage(
                status: status.code, fields: headers, reason: status.reasonPhrase,
                request: RequestIdentity(method: "GET", url: url),
                body: BodyContent(first: body, expectedLength: body.count)))
    }

    /// The status with the registered reason phrase; ``reason`` is the phrase that the server sent.
    public var status: HTTPResponse.Status { .withCode(head.status) }

    /// The URL that this response came from: that of the request, or the target of the last redirect.
    public var url: HTTPURL { request.url }

    /// The earlier exchanges of the call, oldest first: redirects, repeated attempts, answered challenges.
    public var history: [PriorExchange] { callHistory?.history ?? [] }

    /// The durations measured so far; the time for reading the content is included once the content is read. Nil until
    /// the call has returned. Also nil unless ``OutgoingRequest/Options/collectsMetrics`` is set or an `EventMonitor`
    /// observes the call.
    public var metrics: CallMetrics? { observer?.metrics }

    /// The observer of the call; nil if the call is neither measured nor monitored, or has not returned.
    package var observer: (any ExchangeObserver)? {
        guard let callHistory else { return annotation as? any ExchangeObserver }
        return callHistory.observer
    }

    /// The parameters of the connection's TLS handshake, the server's certificates, and the result of their
    /// verification. Assembled on demand. Nil over plain http.
    public var tls: TLSInfo? { head.tls }

    /// The content, single-pass.
    public var body: IncomingResponse.Body { IncomingResponse.Body(head) }

    /// The request that the response answers. A placeholder if the response only wraps a body that was created
    /// from bytes.
    package var request: RequestIdentity { head.request ?? RequestIdentity(method: "", url: .placeholder) }

    /// The response's fields, in order and with every repetition. If the client has undone a content coding,
    /// Content-Encoding and Content-Length are left out.
    ///
    /// A value that is not UTF-8 is decoded as ISO-8859-1 (RFC 9110 5.5); ``rawValues(of:)`` has the bytes as received.
    public var headers: Headers { head.fields }

    /// The reason phrase as the server sent it, possibly empty. It carries no meaning (RFC 9112 4).
    public var reason: String { head.reason }

    /// The minor version of HTTP/1 that the server speaks: 1 or 0.
    public var minorVersion: Int { head.minorVersion }

    /// Returns the first value of a field, decoded as in ``headers``, without parsing all fields into `Headers`.
    public subscript(_ name: Headers.Name) -> String? { head.firstValue(of: name) }

    /// Returns every value of a field, decoded as in ``headers``.
    package func values(of name: Headers.Name) -> [String] { head.values(of: name) }

    /// Returns every value of a field as the bytes that were received, in order. For a response from a cache, or one
    /// made by hand, these are the UTF-8 bytes of the text.
    public func rawValues(of name: Headers.Name) -> [Bytes] { head.rawValues(of: name) }

    /// True if the server's answer to this request sets cookies. Set-Cookie fields from a cache's store do not count:
    /// their cookies were set when the response was stored.
    @inlinable package var setsCookies: Bool { head.setsCookies }

    /// True if the client undoes the content coding of the body before it delivers the body.
    package var isDecoded: Bool { head.hidesCoding }

    /// The start time of the exchange; nil if the clock was not read.
    package var started: MonotonicTime? { head.started }

    /// Wraps the source of the content, if there is a source. Returns the number of bytes that have already arrived and
    /// therefore bypass the wrapper. If reading has begun, wraps nothing and returns nil.
    @discardableResult
    package func wrapSource(_ wrap: (any BodySource) -> any BodySource) -> Int? {
        head.reader.wrapSource(wrap)
    }

    /// Discards the body at once, even if the response is still referenced.
    package func discard() {
        head.reader.discard()
    }

    /// Discards the body, and stops a cache from storing it. A cache that is not stopped may read the rest in the
    /// background, and occupy a connection that the next request may need.
    package func discardUnstored() {
        head.reader.discard()?.abandonStoring()
    }

    /// The error for a body with a Content-Length above the limit of the request or client
    /// (``ResponseLimits/bodyBytes``). Nil for every other body, and once reading has begun.
    package var announcedSizeError: SockeyeError? { head.announcedSizeError }

    @inlinable package var statusCode: Int { head.status }

    /// The fields after a chunked body; nil until the body was read to its end, or if there are no trailers.
    ///
    /// Fields that are not allowed there (RFC 9110 6.5.1) have been dropped.
    public var trailers: Headers? { head.reader.trailers }
}

extension IncomingResponse {
    /// The default limit of the methods that read a whole body, such as ``bytes(upTo:)``: 16 MiB.
    public static let defaultCollectLimit = 16 << 20

    /// Reads the whole body. See ``IncomingResponse/Body/collect(upTo:)``.
    public func bytes(upTo limit: Int = defaultCollectLimit) async throws(SockeyeError) -> Bytes {
        try await body.collect(upTo: limit)
    }

    /// Reads the whole body as text.
    ///
    /// The charset is taken from a byte order mark, else from Content-Type, else it is UTF-8. Bytes that are not valid
    /// in the charset become U+FFFD.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/decodingFailed`` for an unknown charset, unless the body begins with
    ///   a byte order mark. Also throws any error of collecting.
    public func text(upTo limit: Int = defaultCollectLimit) async throws(SockeyeError) -> String {
        try text(of: try await body.collect(upTo: limit), fallbackCharset: "utf-8")
    }

    /// The media type of the content, from all Content-Type fields together (Fetch, "extract a MIME type"). Nil if they
    /// name no valid media type.
    public var contentType: InternetMediaType? {
        let values = head.values(of: .contentType)
        // Each byte of a field must become the scalar of the same value (Fetch, "isomorphic decode"). The decoded
        // values are used only if they are ASCII, because UTF-8 combines several bytes into one scalar.
        guard !values.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else {
            return InternetMediaType.extract(from: values)
        }
        return InternetMediaType.extract(
            from: rawValues(of: .contentType).map { String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })) })
    }
}

extension IncomingResponse: CustomStringConvertible, CustomReflectable {
    /// For example `200 of https://example.com/x`. Fields are omitted because they may contain secrets.
    public var description: String { "\(status.code) of \(url.masked)" }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension IncomingResponse {
    /// Decodes a body as text.
    ///
    /// - Parameter fallbackCharset: The charset if neither a byte order mark nor Content-Type names one.
    package func text(of body: Bytes, fallbackCharset: String) throws(SockeyeError) -> String {
        let own = contentType?.charset
        let label = own ?? fallbackCharset
        guard let decoder = TextDecoder(label: label) ?? TextDecoder(byteOrderMarkOf: body) else {
            let message = "the charset of the text is not known: \(label.prefix(40))"
            throw refusal(.decodingFailed, message, body: body).with {
                $0.phase = .decode
                $0.blame = own == nil ? .caller : .peer
            }
        }
        return decoder.decode(body)
    }
}

extension IncomingResponse {
    /// Returns an error about this response, with the given start of its body as evidence.
    package func refusal(_ code: SockeyeError.Code, _ message: String, body: Bytes) -> SockeyeError {
        var fields = SockeyeError.Fields(code, phase: .head, blame: .peer, message: message)
        fields.response = evidence(body: body)
        return SockeyeError(fields).about(request)
    }

    /// Returns the start of the body: at most 64 KiB, as much as an error keeps. If reading fails before that, returns
    /// the bytes read so far and the failure.
    package func leadingBytes() async -> (bytes: Bytes, failure: SockeyeError?) {
        let limit = SockeyeError.Evidence.bodyLimit
        var collected = BytesAccumulator(expected: nil)
        do throws(SockeyeError) {
            var iterator = body.makeAsyncIterator()
            while collected.count < limit, let chunk = try await iterator.next() {
                collected.append(chunk.slice(0..<min(chunk.count, limit - collected.count)))
            }
        } catch {
            return (collected.finish(), error)
        }
        return (collected.finish(), nil)
    }

    package func evidence(body: Bytes) -> SockeyeError.Evidence {
        SockeyeError.Evidence(status: status, headers: headers, startOf: body)
    }
}

extension IncomingResponse {
    /// An interim (1xx) response, such as 103 Early Hints (RFC 9110 15.2).
    public struct Interim: Sendable {
        /// The status: 100 to 199, but never 101, after which no other response follows.
        public let status: HTTPResponse.Status
        /// The fields of the interim response.
        public let headers: Headers

        package init(status: HTTPResponse.Status, headers: Headers) {
            self.status = status
            self.headers = headers
        }
    }
}

extension IncomingResponse.Interim: CustomStringConvertible, CustomReflectable {
    /// For example `103 with 2 fields`. Names and values are omitted because they may contain secrets.
    public var description: String { "\(status.code) with \(headers.count) fields" }

    /// The description alone, so that dumps show no field values either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
