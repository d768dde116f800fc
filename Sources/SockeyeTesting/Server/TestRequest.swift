import FoundationEssentials
public import HTTPTypes
public import SockeyeCore
public import SockeyeHTTP
public import SockeyeNet

/// A request as a ``TestServer`` received it; the body is still on the connection.
public struct TestRequest: Sendable {
    let head: RequestHead
    /// The request method.
    public let method: HTTPRequest.Method
    /// The body, read when it is asked for.
    public let body: TestRequestBody
    /// The client's address.
    public let peerAddress: EndpointAddress?
    /// What the TLS handshake has agreed on; nil on plain connections.
    public let tls: TestTLSInfo?
    /// The number of the connection among those of the server, from 0. Equal numbers mean that it was reused.
    public let connection: Int
    /// The number of the request among those on its connection, from 0.
    public let number: Int

    /// The request target exactly as it was sent: `/path?query`, a whole URL (to a proxy), `host:port` or `*`.
    public var target: String { head.target }

    /// `HTTP/1.1` or `HTTP/1.0`.
    public var version: String { "HTTP/1.\(head.minorVersion)" }

    /// The path of the target, still percent-encoded, without the query. Empty for CONNECT.
    public var path: String {
        String(originForm.prefix { $0 != "?" })
    }

    /// What follows the first `?` of the target, still percent-encoded; nil when there is none.
    public var query: String? {
        originForm.firstIndex(of: "?").map { String(originForm[originForm.index(after: $0)...]) }
    }

    private var originForm: Substring {
        if head.target.hasPrefix("/") { return head.target[...] }
        guard let scheme = head.target.firstRange(of: "://") else { return head.target == "*" ? "*" : "" }
        let authority = head.target[scheme.upperBound...]
        return authority.firstIndex { $0 == "/" || $0 == "?" }.map { authority[$0...] } ?? "/"
    }

    /// The fields, in the order and with the letters they were sent in. Built at each call.
    public var headers: Headers {
        Headers(lines: head.lines.map { (head.name(of: $0), head.value(of: $0)) })
    }

    /// The value of the first field with this name, whatever the case of its letters.
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
    /// - Throws: What ``TestRequestBody/collect(upTo:)`` throws.
    public func text(upTo limit: Int = 16 << 20) async throws -> String {
        String(decoding: try await body.collect(upTo: limit), as: UTF8.self)
    }

    /// Reads the body and decodes it as JSON.
    ///
    /// - Throws: What ``/Sockeye/JSONResponseDecoder`` throws, and what ``TestRequestBody/collect(upTo:)`` throws.
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

/// The body of a request, read from the connection as it is asked for.
///
/// Nothing is read ahead: a handler that does not iterate lets the client run into backpressure, one that answers first
/// tests an early response. Single pass; a second iterator continues where the first one stopped.
public struct TestRequestBody: AsyncSequence, Sendable {
    let content: RequestContent

    /// Starts, or goes on, reading. A client that asked with `Expect: 100-continue` is told to send by the first read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(content: content)
    }

    /// Reads the body piece by piece.
    public struct Iterator: AsyncIteratorProtocol {
        let content: RequestContent

        /// The next bytes as they arrived, or nil at the end of the body.
        ///
        /// - Throws: ``TestServerError``: `disconnected` when the client goes away amid the body, `malformedRequest`
        ///   when its framing is wrong; `CancellationError` when the server stops.
        public mutating func next() async throws -> Bytes? {
            try await content.next()
        }
    }

    /// Reads the rest of the body into memory.
    ///
    /// - Throws: ``TestServerError`` with the code `bodyTooLarge` beyond `limit` bytes (default 16 MiB), and what
    ///   iterating throws.
    public func collect(upTo limit: Int = 16 << 20) async throws -> Bytes {
        guard var first = try await content.next() else { return Bytes() }
        // A body in one piece, the usual case, needs no second copy.
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

    /// Reads the rest of the body and keeps nothing: the cheapest way to take a large upload.
    ///
    /// - Returns: How many bytes there were.
    @discardableResult
    public func discard() async throws -> Int {
        var count = 0
        while let piece = try await content.next() { count += piece.count }
        return count
    }
}
