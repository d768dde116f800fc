import HTTPTypes
import Hummingbird
import NIOCore
import Sockeye

/// A gateway (RFC 9110 3.7): it forwards each request to one upstream server and streams both bodies.
///
/// No body is held in memory: each side is read only as fast as the other side receives the bytes.
///
/// ```swift
/// try await Gateway(to: "http://127.0.0.1:8081").application().runService()
/// ```
public struct Gateway: HTTPResponder {
    private let upstream: String
    private let client: HTTPClient

    /// Makes a gateway. It opens no connection before the first request.
    ///
    /// - Parameters:
    ///   - upstream: Scheme, host and port of the upstream server, without a trailing slash.
    ///   - client: The client that sends the requests. It should not follow redirects or answer challenges, so that
    ///     they reach the gateway's client.
    public init(to upstream: String, client: HTTPClient = HTTPClient().adding(.redirects(.manual))) {
        self.upstream = upstream
        self.client = client
    }

    /// Returns the upstream's response; 502 without one, 504 if a deadline passed, and 400 for a target that does not
    /// begin with a slash.
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
                // The copy is for the task below; nothing else writes while that task runs.
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
