import Foundation
import OpenAPIRuntime
import Sockeye

/// The transport of a client that Swift OpenAPI Generator has generated, over Sockeye.
///
/// ```swift
/// let client = Client(serverURL: try Servers.Server1.url(), transport: SockeyeTransport())
/// ```
///
/// Both bodies are streamed: the content of a request is read only as fast as the server takes it, and the content of a
/// response only as fast as the caller reads it. A response whose body is released unread gives up its connection.
///
/// The generated client wraps errors in its `ClientError`. Its `underlyingError` is a `SockeyeError`, with two
/// exceptions. A cancelled call throws `CancellationError`, and an error of the request's own body is thrown unchanged.
public struct SockeyeTransport: ClientTransport {
    /// The key of the operation's identifier in the context of a call, for interceptors and monitors.
    public enum OperationID: OutgoingRequest.ContextKey {
        /// The identifier in the OpenAPI document.
        public typealias Value = String
    }

    private let client: HTTPClient

    /// Makes a transport that sends its requests by a client, with its policies, deadlines and limits.
    ///
    /// If values of users become parts of paths, use a client that is confined to the base URL: a parameter `..` could
    /// otherwise lead out of it. See `HTTPClient.scoped(baseURL:isConfined:…)`.
    public init(client: HTTPClient = .shared) {
        self.client = client
    }

    /// Sends a request and returns the response before its content has arrived.
    ///
    /// The path is appended to that of the base URL. A user name and a password in the base URL are not sent.
    public func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        do throws(SockeyeError) {
            let outgoing = try OutgoingRequest(
                Self.absolute(request, baseURL), body: body.map { .openAPI($0) } ?? .none,
                options: .context(OperationID.self, operationID))
            let response = try await client.send(outgoing)
            guard request.method != .head else { return (HTTPResponse(response), nil) }
            let length = response.body.expectedLength.map { HTTPBody.Length.known(Int64($0)) } ?? .unknown
            let content = HTTPBody(
                ResponseChunks(body: response.body), length: length, iterationBehavior: .single)
            return (HTTPResponse(response), content)
        } catch {
            throw error.unwrapped
        }
    }

    /// Returns the request with scheme, authority and path of its URL.
    private static func absolute(_ request: HTTPRequest, _ baseURL: URL) throws(SockeyeError) -> HTTPRequest {
        let base = try OutgoingRequest(url: baseURL.absoluteString).url
        let prefix = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
        let path = request.path ?? ""
        var request = request
        request.scheme = base.scheme.rawValue
        request.authority = base.authority
        request.path = prefix + (path.hasPrefix("/") ? path : "/" + path)
        return request
    }
}

extension OutgoingRequest.Body {
    /// The body of a request as content, read while it is sent. It can be sent again if it can be iterated again.
    fileprivate static func openAPI(_ body: HTTPBody) -> Self {
        let isReplayable = body.iterationBehavior == .multiple
        switch body.length {
        case .known(let count): return .stream(body, length: Int(clamping: count), isReplayable: isReplayable)
        case .unknown: return .stream(body, isReplayable: isReplayable)
        }
    }
}

/// The content of a response in chunks of the type that the runtime expects.
private struct ResponseChunks: AsyncSequence, Sendable {
    let body: IncomingResponse.Body

    func makeAsyncIterator() -> Iterator {
        Iterator(base: body.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: IncomingResponse.Body.Iterator

        mutating func next() async throws -> HTTPBody.ByteChunk? {
            do throws(SockeyeError) {
                return try await base.next().map { ArraySlice($0) }
            } catch {
                throw error.unwrapped
            }
        }
    }
}

extension SockeyeError {
    /// Swift's own error for a cancellation, and the error of the request's own body; otherwise the error itself.
    fileprivate var unwrapped: any Error {
        switch code {
        case .cancelled: CancellationError()
        case .bodyFailed: underlying ?? self
        default: self
        }
    }
}
