public import Sockeye
public import SockeyeEngine
import SockeyeEssentials

/// A request as a ``MockTransport`` received it, with its body collected in memory.
///
/// Fields that a connection would add on the wire, such as Host and Content-Length, are not among the headers.
public struct MockRequest: Sendable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The absolute URL.
    public let url: HTTPURL
    /// The caller's fields, the client's default fields, and the fields that policies have added.
    public let headers: Headers
    /// The collected body.
    public let body: Bytes
    /// The announced length of the body; nil if it is unknown. A client over sockets would then send the body in
    /// chunks.
    public let bodyLength: Int?
    /// The trailers of the body.
    public let trailers: Headers
    /// The options of the call, which override the client's settings.
    public let options: OutgoingRequest.Options
    /// The decoded values of the `{name}` variables of a ``RequestPattern``. They are set only in the request that
    /// ``MockTransport`` passes to a closure given to its `answer` methods. Otherwise the dictionary is empty.
    public internal(set) var parameters: [String: String] = [:]

    /// The path of the URL, percent-encoded.
    public var path: String { url.path }

    /// The query of the URL, percent-encoded; nil if the URL has no query.
    public var query: String? { url.query }

    /// The items of the query, decoded. Of several items with the same name only the first is included.
    public var queryItems: [String: String] { Self.dictionary(QueryItems(query ?? "")) }

    /// The items of a body that is a form (`application/x-www-form-urlencoded`), decoded. Of several items with the
    /// same name only the first is included.
    public var formItems: [String: String] { Self.dictionary(QueryItems(text)) }

    private static func dictionary(_ items: QueryItems) -> [String: String] {
        Dictionary(items.items.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// The value of the first field with this name. Names are compared case-insensitively.
    public subscript(name: Headers.Name) -> String? { headers[name] }

    /// The body as UTF-8 text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body decoded as JSON.
    ///
    /// - Throws: `DecodingError`.
    public func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONResponseDecoder().decode(type, from: body)
    }
}

extension MockRequest {
    /// Returns the decoded values of a pattern's `{name}` variables; nil if the request does not match.
    public func parameters(in pattern: RequestPattern) -> [String: String]? { pattern.parameters(of: facts) }

    /// Returns true if a request matches a pattern; for `case "GET /users/*":` in a `switch`.
    public static func ~= (pattern: RequestPattern, request: MockRequest) -> Bool {
        request.parameters(in: pattern) != nil
    }

    var facts: RequestFacts {
        RequestFacts(method: method, origin: url.origin, path: path, query: query, headers: headers)
    }

    /// The method and URL without user information, such as `POST https://example.com/a?b=c`.
    var line: String { "\(method.rawValue) \(url.masked)" }

    var identity: RequestIdentity { RequestIdentity(method: method.rawValue, url: url) }
}

extension MockRequest {
    /// Collects the body of a request: runs its producer to the end.
    ///
    /// - Throws: Errors of the producer and of the trailers, and ``TestServerError`` if the body is too large or does
    ///   not have its announced length. If the body is too large, the producer gets the ``TestServerError`` as the
    ///   cause of a `SockeyeError`.
    init(collecting request: OutgoingRequest, upTo limit: Int) async throws {
        let options = request.options
        let exchange = options.observer?.exchange ?? 0
        let sink = CollectingSink(limit: limit, announced: request.body.length) { count in
            options.onBodyProgress?(count)
            options.observer?.sentBody(count, of: request.body.length, in: exchange)
        }
        switch request.body.source {
        case .none: break
        case .bytes(let bytes): try await sink.collect(bytes)
        case .producer(let produce): try await produce(sink)
        }
        body = try await sink.finish()
        trailers = try await request.body.trailers?() ?? [:]
        method = request.method
        url = request.url
        headers = request.headers
        bodyLength = request.body.length
        self.options = options
    }
}

/// A sink that collects the pieces of a request body in memory.
private actor CollectingSink: BodySink {
    private let limit: Int
    private let announced: Int?
    private let report: @Sendable (Int) -> Void
    private var collected: [UInt8] = []
    /// The error of a refused piece. All later writes throw the same error, because a body without the refused piece
    /// would be wrong.
    private var failure: TestServerError?

    init(limit: Int, announced: Int?, report: @escaping @Sendable (Int) -> Void) {
        self.limit = limit
        self.announced = announced
        self.report = report
    }

    func collect(_ chunk: some Collection<UInt8>) throws(TestServerError) {
        if failure == nil, collected.count + chunk.count > limit {
            failure = TestServerError(.bodyTooLarge, "the request body has more than \(limit) bytes")
        }
        if let failure { throw failure }
        collected.append(contentsOf: chunk)
        if !chunk.isEmpty { report(collected.count) }
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        do throws(TestServerError) {
            try collect(chunk)
        } catch {
            var fields = SockeyeError.Fields(.bodyFailed, phase: .send, blame: .caller, message: error.message)
            fields.underlying = error
            throw SockeyeError(fields)
        }
    }

    func finish() throws(TestServerError) -> Bytes {
        if let failure { throw failure }
        guard announced == nil || announced == collected.count else {
            throw TestServerError(
                .malformedRequest, "the body announced \(announced ?? 0) bytes and has \(collected.count)")
        }
        return Bytes(collected)
    }
}
