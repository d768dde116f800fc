import FoundationEssentials
public import HTTPTypes
public import SockeyeCore
public import SockeyeHTTP
public import SockeyeNet

/// A response: the head now, the body when you read it.
///
/// The body stays on the connection until you iterate ``body``; reading it to the end gives the connection back to the
/// pool, and dropping the response frees it. Fields are parsed into `Headers` when they are first asked for.
public struct IncomingResponse: Sendable {
    @usableFromInline package let head: ResponseStorage
    /// Nil for nearly all responses.
    private let callHistory: CallHistory?

    private final class CallHistory: Sendable {
        let history: [PriorExchange]
        let observer: (any ExchangeObserver)?
        let cacheOutcome: CachedResponse.Outcome?

        init(
            _ history: [PriorExchange], _ observer: (any ExchangeObserver)?, _ cacheOutcome: CachedResponse.Outcome?
        ) {
            self.history = history
            self.observer = observer
            self.cacheOutcome = cacheOutcome
        }
    }

    package init(_ head: ResponseStorage) {
        self.head = head
        callHistory = nil
    }

    private init(_ head: ResponseStorage, _ callHistory: CallHistory?) {
        self.head = head
        self.callHistory = callHistory
    }

    /// The same response as the last of several.
    package func with(_ history: [PriorExchange], _ observer: (any ExchangeObserver)?) -> IncomingResponse {
        IncomingResponse(head, CallHistory(history, observer, callHistory?.cacheOutcome))
    }

    /// The same response, history and metrics included, with another head and content.
    func with(_ head: ResponseStorage) -> IncomingResponse { IncomingResponse(head, callHistory) }

    /// The same response with what a cache did for it.
    package func noting(_ outcome: CachedResponse.Outcome) -> IncomingResponse {
        IncomingResponse(head, CallHistory(history, callHistory?.observer, outcome))
    }

    /// What the client's cache did for this response; nil without one.
    public var cacheOutcome: CachedResponse.Outcome? { callHistory?.cacheOutcome }

    /// Makes a response from its parts; for transports of your own and for tests.
    public init(status: HTTPResponse.Status, headers: Headers = [:], body: Bytes = Bytes(), url: HTTPURL) {
        self.init(
            ResponseStorage(
                status: status.code, fields: headers, reason: status.reasonPhrase,
                request: RequestIdentity(method: "GET", url: url),
                body: BodyContent(first: body, expectedLength: body.count)))
    }

    /// The status with the reason phrase of the registry; ``reason`` is the server's.
    public var status: HTTPResponse.Status { .withCode(head.status) }

    /// The URL that answered: the request's, or where redirects led.
    public var url: HTTPURL { request.url }

    /// The exchanges of the call before this one: redirects, attempts that were repeated, challenges that were answered.
    /// The oldest first, each with the time it took.
    public var history: [PriorExchange] { callHistory?.history ?? [] }

    /// How long everything took so far, the reading of the content included once that is done. Nil unless
    /// ``OutgoingRequest/Options/collectsMetrics`` asked for it or a monitor listens.
    public var metrics: CallMetrics? { callHistory?.observer?.metrics }

    /// The observer of its call; nil if the call is neither measured nor listened to, or has not returned.
    package var observer: (any ExchangeObserver)? { callHistory?.observer }

    /// What the TLS handshake of its connection has agreed on, and the server's certificates with what was made of them, which
    /// are put together when somebody asks. Nil over plain http.
    public var tls: TLSInfo? { head.tls }

    /// The content, single-pass.
    public var body: IncomingResponse.Body { IncomingResponse.Body(head) }

    /// Only a body made by hand has no request, and it is no response's.
    package var request: RequestIdentity { head.request ?? RequestIdentity(method: "", url: .placeholder) }

    /// The response's fields, in order and with every repetition. Those that described a content coding which the client
    /// has undone (Content-Encoding, Content-Length) are left out.
    ///
    /// A value that is not UTF-8 is decoded as ISO-8859-1 (RFC 9110 5.5); ``rawValues(of:)`` has the bytes as received.
    public var headers: Headers { head.fields }

    /// The reason phrase as the server sent it, possibly empty. Means nothing (RFC 9112 4).
    public var reason: String { head.reason }

    /// The minor version of HTTP/1 that the server speaks: 1 or 0.
    public var minorVersion: Int { head.minorVersion }

    /// The first value of a field, decoded as in ``headers``, without building all of them.
    public subscript(_ name: Headers.Name) -> String? { head.firstValue(of: name) }

    /// Every value of a field, likewise.
    package func values(of name: Headers.Name) -> [String] { head.values(of: name) }

    /// Every value of a field as the bytes that were received, in order. Of a response from a cache, or made by hand, the UTF-8 of
    /// its text.
    public func rawValues(of name: Headers.Name) -> [Bytes] { head.rawValues(of: name) }

    /// Whether there is a Set-Cookie field, as the parser noted it.
    @inlinable package var setsCookies: Bool { head.setsCookies }

    /// Whether the body is delivered decoded.
    package var isDecoded: Bool { head.hidesCoding }

    /// When its exchange began; nil where the clock was not read.
    package var started: MonotonicTime? { head.started }

    /// Wraps the source of what is still to come of the content. Returns how many bytes of it are here already.
    @discardableResult
    package func wrapSource(_ wrap: (any BodySource) -> any BodySource) -> Int {
        head.reader.wrapSource(wrap)
    }

    /// Discards the body, for policies that go on with another response while this one is still referenced.
    package func discard() {
        head.reader.discard()
    }

    /// The error of a body that is announced larger than its limit.
    package var excess: SockeyeError? { head.excess }

    /// The code of ``status``, without what goes with it.
    @inlinable package var statusCode: Int { head.status }

    /// The fields after a chunked body; nil until the body was read to its end, or when there were none.
    ///
    /// Fields that are not allowed there (RFC 9110 6.5.1) have been dropped.
    public var trailers: Headers? { head.reader.trailers }
}

extension IncomingResponse {
    /// The most bytes that the convenience readers below collect unless told otherwise: 16 MiB.
    public static let defaultCollectLimit = 16 << 20

    /// Reads the whole body. See ``IncomingResponse/Body/collect(upTo:)``.
    public func bytes(upTo limit: Int = defaultCollectLimit) async throws(SockeyeError) -> Bytes {
        try await body.collect(upTo: limit)
    }

    /// Reads the whole body as text.
    ///
    /// The charset is that of a byte order mark, else of Content-Type, else UTF-8. Bytes that are not valid in it become
    /// U+FFFD.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/decodingFailed`` for a charset that nobody knows or that this system
    ///   cannot convert, and whatever collecting throws.
    public func text(upTo limit: Int = defaultCollectLimit) async throws(SockeyeError) -> String {
        try text(of: try await body.collect(upTo: limit), fallbackCharset: "utf-8")
    }

    /// The media type of the content, from all Content-Type fields together (Fetch, "extract a MIME type").
    public var contentType: InternetMediaType? {
        let values = head.values(of: .contentType)
        // A field is bytes, each of which stands for itself there (Fetch, "isomorphic decode"); as UTF-8 they would be lost.
        guard !values.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else {
            return InternetMediaType.extract(from: values)
        }
        return InternetMediaType.extract(
            from: rawValues(of: .contentType).map { String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })) })
    }
}

extension IncomingResponse: CustomStringConvertible, CustomReflectable {
    /// For example `200 of https://example.com/x`. No fields, since they may hold secrets.
    public var description: String { "\(status.code) of \(url.masked)" }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension IncomingResponse {
    /// The text of a body.
    ///
    /// - Parameters:
    ///   - fallbackCharset: That of text whose response does not say.
    ///   - decode: Replaced by tests; nil is "no converter".
    package func text(
        of body: Bytes, fallbackCharset: String, decode: (TextDecoder, Bytes) -> String? = { $0.decode($1) }
    ) throws(SockeyeError) -> String {
        let own = contentType?.charset
        let label = own ?? fallbackCharset
        guard let decoder = TextDecoder(label: label) ?? TextDecoder(byteOrderMarkOf: body) else {
            throw textFailure(
                "the charset of the text is not known: \(label.prefix(40))", blame: own == nil ? .caller : .peer, body)
        }
        guard let text = decode(decoder, body) else {
            throw textFailure(
                "the C library has no converter for the charset of the text: \(decoder.encoding)", blame: .network,
                body)
        }
        return text
    }

    private func textFailure(_ message: String, blame: SockeyeError.Blame, _ body: Bytes) -> SockeyeError {
        refusal(.decodingFailed, message, body: body).with {
            $0.phase = .decode
            $0.blame = blame
        }
    }
}

extension IncomingResponse {
    /// An error about this response, with its head and the start of its body as evidence.
    package func refusal(
        _ code: SockeyeError.Code, _ message: String, blame: SockeyeError.Blame = .peer
    ) async -> SockeyeError {
        refusal(code, message, body: await leadingBytes().bytes).with { $0.blame = blame }
    }

    /// An error about this response, of whose body this is the start.
    package func refusal(_ code: SockeyeError.Code, _ message: String, body: Bytes) -> SockeyeError {
        var fields = SockeyeError.Fields(code, phase: .head, blame: .peer, message: message)
        fields.response = evidence(body: body)
        return SockeyeError(fields).about(request)
    }

    /// The start of the body, as much of it as an error keeps, and what kept the rest from being read.
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

    /// What an error keeps of the response.
    package func evidence(body: Bytes) -> SockeyeError.Evidence {
        SockeyeError.Evidence(status: status, headers: headers, startOf: body)
    }
}

extension IncomingResponse {
    /// An interim (1xx) response, such as 103 Early Hints (RFC 9110 15.2).
    public struct Interim: Sendable {
        /// 100 to 199, but never 101, which ends the exchange.
        public let status: HTTPResponse.Status
        /// Its fields.
        public let headers: Headers

        package init(status: HTTPResponse.Status, headers: Headers) {
            self.status = status
            self.headers = headers
        }
    }
}

extension IncomingResponse.Interim: CustomStringConvertible, CustomReflectable {
    /// For example `103 with 2 fields`. Not which, since they may hold secrets.
    public var description: String { "\(status.code) with \(headers.count) fields" }

    /// The description alone, so that dumps show no values of fields either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
