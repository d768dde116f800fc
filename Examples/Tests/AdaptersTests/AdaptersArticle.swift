import Foundation
import NIOCore
import OpenAPIRuntime
import Sockeye
import SockeyeNIO
import SockeyeOpenAPI
import SockeyeSoto
import SotoCore

// The snippets of Adapters.md: compiled, not run. Those of Vapor are in VaporArticle.swift.

private struct AdaptersArticle {
    let client: HTTPClient
    let url: String

    func httpTypes() async throws -> (HTTPResponse, Bytes) {
        let request = HTTPRequest(
            method: .get, scheme: "https", authority: "api.example.com",
            path: "/users?page=2")
        let response = try await client.send(OutgoingRequest(request))
        let head = HTTPResponse(response)
        let content = try await response.bytes()
        return (head, content)
    }

    func buffers(_ buffer: ByteBuffer, _ source: AsyncStream<ByteBuffer>) async throws -> ByteBuffer {
        try await client.put(url, .buffer(buffer))
        try await client.post(url, .buffers(source))
        let received = try await client.get(url).buffer()
        for try await buffer in try await client.get(url).buffers {
            print(buffer.readableBytes)
        }
        return received
    }

    func openAPI() throws -> Client {
        let http = HTTPClient().adding(.retry(max: 2)).scoped(
            baseURL: "https://api.example.com/v1", isConfined: true)
        let client = Client(
            serverURL: try Servers.Server1.url(),
            transport: SockeyeTransport(client: http))
        return client
    }

    func soto() -> AWSClient {
        var retries = Sockeye.RetryPolicy()
        retries.statuses = []
        let http = HTTPClient().adding(.retry(retries))
        let aws = AWSClient(httpClient: SockeyeAWSClient(http))
        return aws
    }
}

/// A transport of the caller that answers in the types of swift-http-types.
private struct Recorded: HTTPTransport {
    let answer: @Sendable (HTTPRequest) -> (HTTPResponse, Bytes)

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        let (head, content) = answer(HTTPRequest(request))
        return IncomingResponse(head, body: content, url: request.url)
    }
}

/// The names that Swift OpenAPI Generator generates.
private struct Client {
    let serverURL: URL
    let transport: any ClientTransport
}

private enum Servers {
    enum Server1 {
        static func url() throws -> URL { URL(filePath: "/") }
    }
}
