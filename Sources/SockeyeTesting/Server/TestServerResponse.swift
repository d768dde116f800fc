public import HTTPTypes
public import SockeyeCore
import SockeyeEssentials
public import SockeyeHTTP

/// A response that a ``TestServer`` sends or a ``MockTransport`` answers with.
///
/// ```swift
/// // 200, text/plain
/// .ok("hello")
/// // 200, application/json
/// .json(["id": 1])
/// .status(404)
/// .bytes(data, contentType: "image/png")
/// // chunked, or with Content-Length if you pass a length
/// .stream(chunks)
/// // 1 GiB from a static block, without memory for the body
/// .source(length: 1 << 30)
/// .redirect(to: "/elsewhere")
/// ```
///
/// The server frames the body itself: with Content-Length if the length is known and there are no ``trailers``, chunked
/// otherwise. HTTP/1.0 has no chunks: a body of unknown length ends when the server closes the connection.
/// `Content-Length` and `Transfer-Encoding` in ``headers`` are ignored, except in responses to HEAD and in 304
/// responses.
public struct TestServerResponse: Sendable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The header fields. Content-Length and Transfer-Encoding are usually left out, because the server frames the
    /// body. Values are sent unchecked.
    public var headers: Headers
    /// Fields sent after the body; they make the body chunked. HTTP/1.0 has no chunks, so the server sends no trailers
    /// to an HTTP/1.0 client.
    public var trailers = Headers()
    var content: Content

    enum Content: Sendable {
        case bytes(Bytes)
        /// A stream of pieces; a new source is made each time the response is sent.
        case stream(length: Int?, @Sendable () -> any PieceSource)
        case never
        /// An error instead of a response, treated as if the handler that made this object had thrown it.
        case failure(any Error)
        /// A network failure instead of a response.
        case broken(Failure)
    }

    /// The delay before the head.
    var delay = Duration.zero
    /// The number of bytes after which the body is cut off, and the failure; nil for a complete body.
    var cut: (count: Int, failure: Failure)?
    /// Interim responses to send before the final one.
    var interims: [(status: HTTPResponse.Status, headers: Headers)] = []

    init(_ status: HTTPResponse.Status, _ headers: Headers, _ content: Content, type: String? = nil) {
        self.status = status
        self.headers = headers
        self.content = content
        if let type, !headers.contains(.contentType) { self.headers[.contentType] = type }
    }

    /// Makes a response of bytes in memory.
    public init(status: HTTPResponse.Status = .ok, headers: Headers = [:], body: Bytes = Bytes()) {
        self.init(status, headers, .bytes(body))
    }

    /// 200 with a text, which may be empty.
    public static func ok(_ text: String = "", headers: Headers = [:]) -> TestServerResponse {
        self.text(text, headers: headers)
    }

    /// A text in UTF-8.
    public static func text(_ text: String, status: Int = 200, headers: Headers = [:]) -> TestServerResponse {
        let type = text.isEmpty ? nil : "text/plain; charset=utf-8"
        return TestServerResponse(.known(status), headers, .bytes(Bytes(text)), type: type)
    }

    /// A value encoded as JSON. If it cannot be encoded, this counts as an error of the handler.
    public static func json(_ value: some Encodable, status: Int = 200, headers: Headers = [:]) -> TestServerResponse {
        encoded(value, headers).status(.known(status))
    }

    static func encoded(_ value: some Encodable, _ headers: Headers) -> TestServerResponse {
        let content: Content
        do {
            content = .bytes(Bytes(try JSONEncoder().encode(value)))
        } catch {
            content = .failure(error)
        }
        return TestServerResponse(.known(200), headers, content, type: "application/json")
    }

    /// A status without a body.
    public static func status(_ code: Int, headers: Headers = [:]) -> TestServerResponse {
        TestServerResponse(.known(code), headers, .bytes(Bytes()))
    }

    /// Bytes in memory.
    public static func bytes(
        _ bytes: Bytes, contentType: String = "application/octet-stream", status: Int = 200, headers: Headers = [:]
    ) -> TestServerResponse {
        TestServerResponse(.known(status), headers, .bytes(bytes), type: contentType)
    }

    /// A redirect, by default 302 (Found).
    public static func redirect(to location: String, status: Int = 302, headers: Headers = [:]) -> TestServerResponse {
        var headers = headers
        headers[.location] = location
        return TestServerResponse(.known(status), headers, .bytes(Bytes()))
    }

    /// The elements of a sequence, each sent in one write as it arrives. The body is chunked unless a length is given.
    ///
    /// If the sequence throws, or its size differs from `length`, the server closes the connection and records an error
    /// of the handler (``TestServerFailures``). With a ``MockTransport``, an error of the sequence reaches the caller
    /// as the `underlying` error of a `connectionClosed` error. But a `SockeyeError` reaches the caller unchanged, and
    /// a `CancellationError` becomes the error `cancelled`.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int? = nil, status: Int = 200, headers: Headers = [:]
    ) -> TestServerResponse where Chunks.Element: Collection<UInt8> {
        TestServerResponse(.known(status), headers, .stream(length: length) { SequenceSource(chunks) })
    }

    /// The bytes of ``TestPattern``, from one static block: a body of any size that costs no memory.
    ///
    /// - Parameters:
    ///   - length: The number of bytes; if nil, the body is sent in chunks until the client closes the connection.
    ///   - status: The status code. Default 200.
    ///   - headers: Additional fields.
    public static func source(length: Int?, status: Int = 200, headers: Headers = [:]) -> TestServerResponse {
        TestServerResponse(.known(status), headers, .stream(length: length) { PatternSource(length: length) })
    }

    /// No answer: the connection stays open until the client gives up or the server stops.
    public static var never: TestServerResponse { TestServerResponse(.ok, [:], .never) }

    /// Returns this response with one more field; an existing field of that name is kept.
    public func adding(_ name: Headers.Name, _ value: String) -> TestServerResponse {
        var copy = self
        copy.headers.append(name, value)
        return copy
    }

    /// Returns this response with trailers, which makes its body chunked.
    public func trailers(_ trailers: Headers) -> TestServerResponse {
        var copy = self
        copy.trailers = trailers
        return copy
    }
}

extension TestServerResponse {
    func pieces() throws -> (length: Int?, source: any PieceSource) {
        switch content {
        case .failure(let error): throw error
        case .never, .broken: (nil, BytesSource(Bytes()))
        case .bytes(let bytes): (bytes.count, BytesSource(bytes))
        case .stream(let length, let makeSource): (length, makeSource())
        }
    }
}

/// A source of the pieces of a response body, pulled one at a time.
protocol PieceSource: AnyObject {
    /// Returns the next piece; nil at the end.
    func next() async throws -> Bytes?
}

/// A source that returns bytes in memory as one piece.
final class BytesSource: PieceSource {
    private var bytes: Bytes?

    init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    func next() async throws -> Bytes? {
        defer { bytes = nil }
        return bytes
    }
}

/// A source that returns the elements of a sequence of byte collections.
final class SequenceSource<Chunks: AsyncSequence>: PieceSource where Chunks.Element: Collection<UInt8> {
    private var iterator: Chunks.AsyncIterator

    init(_ chunks: Chunks) {
        iterator = chunks.makeAsyncIterator()
    }

    func next() async throws -> Bytes? {
        guard let chunk = try await iterator.next(isolation: #isolation) else { return nil }
        return chunk as? Bytes ?? Bytes(chunk)
    }
}

/// A source that returns the bytes of ``TestPattern`` up to a length, or endlessly.
final class PatternSource: PieceSource {
    private let length: Int
    private var sent = 0

    init(length: Int?) {
        self.length = length ?? .max
    }

    func next() async throws -> Bytes? {
        guard sent < length else { return nil }
        let piece = TestPattern.bytes(at: sent, upTo: length - sent)
        sent += piece.count
        return piece
    }
}

extension HTTPResponse.Status {
    /// Returns the status with its registered reason phrase, if it has one; a code outside 100...999 becomes 500.
    static func known(_ code: Int) -> HTTPResponse.Status {
        guard (100...999).contains(code) else { return .internalServerError }
        return registered(code) ?? HTTPResponse.Status(code: code)
    }
}
