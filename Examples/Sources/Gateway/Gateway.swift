import HTTPTypes
import Hummingbird
import NIOCore
import Sockeye

/// A gateway (RFC 9110 3.7): it passes each request on to one upstream server and streams both bodies.
///
/// No body is held in memory: the client is read as fast as the upstream takes it, and the other way round.
///
/// ```swift
/// try await Gateway(to: "http://127.0.0.1:8081").application().runService()
/// ```
public struct Gateway: HTTPResponder {
    private let upstream: String
    private let client: HTTPClient

    /// Makes a gateway, which opens nothing before the first request.
    ///
    /// - Parameters:
    ///   - upstream: Scheme, host and port of the upstream server, without a slash behind.
    ///   - client: What sends the requests. Without policies, so that redirects and challenges reach the client.
    public init(to upstream: String, client: HTTPClient = HTTPClient().adding(.redirects(.manual))) {
        self.upstream = upstream
        self.client = client
    }

    /// The upstream's response; 502 without one, and 504 where it took too long.
    public func respond(to request: Request, context: GatewayContext) async throws -> Response {
        // The path is appended, not resolved: as a reference, `//other.example/` would name another server.
        guard request.uri.string.hasPrefix("/") else { return Response(status: .badRequest) }
        let watch = try await context.clientWatch()
        var headers = Headers(request.headers).endToEnd
        headers.append(.via, "1.1 gateway")
        var options = OutgoingRequest.Options()
        options.decompresses = false
        do {
            let answer = try await watch.cancellingWhenGone { [headers, options] in
                try await client.request(
                    request.method, upstream + request.uri.string, HTTPClient.Content.streaming(request),
                    headers: headers, options: options)
            }
            let headers = HTTPFields(answer.headers.endToEnd)
            guard request.method != .head else { return Response(status: answer.status, headers: headers) }
            let body = ResponseBody { writer in
                // Copied for a task of its own, while which nothing else writes.
                nonisolated(unsafe) let writer = writer
                try await watch.cancellingWhenGone {
                    var writer = writer
                    for try await chunk in answer.body { try await writer.write(ByteBuffer(bytes: chunk)) }
                    try await writer.finish(nil)
                }
            }
            return Response(status: answer.status, headers: headers, body: body)
        } catch let error as SockeyeError {
            return Response(status: error.code == .timeout ? .gatewayTimeout : .badGateway)
        }
    }
}
