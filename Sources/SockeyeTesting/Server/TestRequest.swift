public import HTTPTypes
public import SockeyeCore
import SockeyeEssentials
public import SockeyeHTTP
public import SockeyeNet

/// A request as a ``TestServer`` received it, with its body still on the connection.
public struct TestRequest: Sendable {
    let head: ReceivedRequestHead
    /// The request method.
    public let method: HTTPRequest.Method
    /// The body, read on demand.
    public let body: TestRequestBody
    /// The client's address; nil if the client had already disconnected.
    public let peerAddress: EndpointAddress?
    /// The parameters that the TLS handshake agreed on; nil for plain connections.
    public let tls: TestTLSInfo?
    /// The index of the connection on the server, counted from 0.
    public let connection: Int
    /// The index of the request on its connection, counted from 0.
    public let number: Int

    /// The request target exactly as sent: `/path?query`, an absolute URL (to a proxy), `host:port` or `*`.
    public var target: String { head.target }

    /// `HTTP/1.1` or `HTTP/1.0`.
    public var version: String { "HTTP/1.\(head.minorVersion)" }

    /// The path of the target, percent-encoded, without the query. Empty for CONNECT, and `*` for `OPTIONS *`.
    public var path: String {
        String(originForm.prefix { $0 != "?" })
    }

    /// The part of the target after the first `?`, percent-encoded; nil if there is no query.
    public var query: String? {
        originForm.firstIndex(of: "?").map { String(originForm[originForm.index(after: $0)...]) }
    }

    private var originForm: Substring {
        if head.target.hasPrefix("/") { return head.target[...] }
        guard let scheme = head.target.firstRange(of: "://") else { return head.target == "*" ? "*" : "" }
        let authority = head.target[scheme.upperBound...]
        return authority.firstIndex { $0 == "/" || $0 == "?" }.map { authority[$0...] } ?? "/"
    }

    /// The fields in their original order and spelling. They are built at each access.
    public var headers: Headers {
        Headers(lines: head.lines.map { (head.name(of: $0), head.value(of: $0)) })
    }

    /// The value of the first field with this name; the case of the name is ignored.
    public subscript(name: Headers.Name) -> String? {
        head.firstValue(name.description)
    }

    /// The bytes of the request line and the fields, up to and including the empty line.
    public var headBytes: Bytes { head.bytes }

    /// The trailers of a chunked body; empty until the body has been read to its end.
    public var trailers: Headers {
        Headers(lines: body.content.trailers)
    }

    /// Reads the body as UTF-8 text.
    ///
    /// - Throws: Errors of ``TestRequestBody/collect(upTo:)``.
    public func text(upTo limit: Int = 16 << 20) async throws -> String {
        String(decoding: try await body.collect(upTo: limit), as: UTF8.self)
    }

    /// Reads the body and decodes it as JSON.
    ///
    /// - Throws: Errors of ``/Sockeye/JSONResponseDecoder`` and of ``TestRequestBody/collect(upTo:)``.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self, upTo limit: Int = 16 << 20
    ) async throws -> Value {
        try JSONResponseDecoder().decode(type, from: try await body.collect(upTo: limit))
    }
}

extension Headers {
    fileprivate init(lines: [(name: String, value: String)]) {
        self.init()
        reserveCapacity(lines.count)
        for line in lines { append(Headers.Name(line.name), line.value) }
    }
}

/// The body of a request, read from the connection on demand.
///
/// Nothing is read ahead: while a handler does not iterate, the client can send only as much as socket buffers hold.
/// The body can be read once; a second iterator continues where the first stopped.
public struct TestRequestBody: AsyncSequence, Sendable {
    let content: RequestContent

    /// Starts or continues reading. The first read sends 100 (Continue) to a client that sent `Expect: 100-continue`,
    /// unless the final response has begun or ``TestServerOptions/answersExpectContinue`` is false.
    public func makeAsyncIterator() -> Iterator {
        Iterator(content: content)
    }

    /// An iterator over the pieces of the body.
    public struct Iterator: AsyncIteratorProtocol {
        let content: RequestContent

        /// Returns the next bytes as they arrived; nil at the end of the body.
        ///
        /// - Throws: ``TestServerError``: `disconnected` if the client disconnects before the end, or if the handler
        ///   has closed or taken over the connection; `malformedRequest` if the framing is wrong; `misuse` if another
        ///   task is reading. `CancellationError` if the server stops.
        public mutating func next() async throws -> Bytes? {
            try await content.next()
        }
    }

    /// Reads the rest of the body into memory.
    ///
    /// - Throws: ``TestServerError`` with the code `bodyTooLarge` beyond `limit` bytes (default 16 MiB), and the
    ///   errors of the iterator's `next()`.
    public func collect(upTo limit: Int = 16 << 20) async throws -> Bytes {
        guard var first = try await content.next() else { return Bytes() }
        // Usually the whole body arrives in one piece, so no array is needed.
        if content.isComplete {
            first = first.compacted()
        } else {
            first = try await collect(after: first, upTo: limit)
        }
        guard first.count <= limit else { throw Self.tooLarge(limit) }
        return first
    }

    private func collect(after first: Bytes, upTo limit: Int) async throws -> Bytes {
        var collected = Array(first)
        while let piece = try await content.next() {
            guard collected.count + piece.count <= limit else { throw Self.tooLarge(limit) }
            collected.append(contentsOf: piece)
        }
        return Bytes(collected)
    }

    private static func tooLarge(_ limit: Int) -> TestServerError {
        TestServerError(.bodyTooLarge, "the request body has more than \(limit) bytes")
    }

    /// Reads and discards the rest of the body.
    ///
    /// - Returns: The number of bytes read.
    @discardableResult
    public func discard() async throws -> Int {
        var count = 0
        while let piece = try await content.next() { count += piece.count }
        return count
    }
}
