import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Sockeye
import SockeyeSoto
import SockeyeTesting
import SotoCore
import Testing

@Suite("Client of Soto", .timeLimit(.minutes(1)))
struct SockeyeAWSClientTests {
    private func execute(
        _ method: HTTPMethod = .GET, _ body: AWSHTTPBody = AWSHTTPBody(), headers: HTTPHeaders = [:],
        timeout: TimeAmount = .seconds(30), to url: String
    ) async throws -> AWSHTTPResponse {
        let client = AWSClient(httpClient: SockeyeAWSClient(HTTPClient())).httpClient
        let request = AWSHTTPRequest(
            url: try #require(URL(string: url)), method: method, headers: headers, body: body)
        return try await client.execute(request: request, timeout: timeout, logger: Logger(label: "test"))
    }

    @Test("a request passes as it was signed, and the response with its content", arguments: [false, true])
    func exchange(isStreaming: Bool) async throws {
        try await withTestServer { request in
            #expect(request.method == .put)
            #expect(request.target == "/bucket/a%2Fb%20c?x-id=PutObject")
            #expect(request["Host"] == "bucket.example")
            #expect(request.headers[values: "x-amz-meta"] == ["1", "2"])
            #expect(request["Content-Length"] == "7")
            #expect(request["Accept-Encoding"] == nil)
            return .text(
                try await request.text(), status: 201, headers: ["x-amz-id": "a", "ETag": "\"e\"", "x-amz-id": "b"])
        } run: { server in
            let buffer = ByteBuffer(string: "content")
            let buffers = AsyncStream<ByteBuffer> { continuation in
                continuation.yield(buffer)
                continuation.finish()
            }
            let response = try await execute(
                .PUT, isStreaming ? AWSHTTPBody(asyncSequence: buffers, length: 7) : AWSHTTPBody(buffer: buffer),
                headers: ["host": "bucket.example", "x-amz-meta": "1", "x-amz-meta": "2"],
                to: server.url("/bucket/a%2Fb%20c?x-id=PutObject"))
            #expect(response.status == .created)
            #expect(response.headers["x-amz-id"] == ["a", "b"])
            #expect(response.body.length == 7 && response.body.isStreaming)
            #expect(try await response.body.collect(upTo: 100) == buffer)
        }
    }

    @Test(
        "a key with a dot segment is refused, because the path that was signed would not be sent",
        arguments: ["/bucket/a/../b", "/bucket/./b", "/../bucket"])
    func dotSegment(path: String) async throws {
        try await withTestServer { _ in
            .ok()
        } run: { server in
            await #expect(throws: AWSClient.ClientError.invalidURL) { try await execute(to: server.url(path)) }
            #expect(server.activity.requests == 0)
        }
    }

    @Test("a coded object is delivered as it is stored")
    func codedObject() async throws {
        try await withTestServer { _ in
            .text("not gzip", headers: ["Content-Encoding": "gzip"])
        } run: { server in
            let response = try await execute(to: server.url())
            #expect(response.headers["Content-Encoding"] == ["gzip"])
            #expect(try await response.body.collect(upTo: 100) == ByteBuffer(string: "not gzip"))
        }
    }

    @Test("a response is delivered while it arrives")
    func download() async throws {
        let hasFirst = TestSignal()
        try await withTestServer { (_: TestRequest, responder: TestResponder) in
            try await responder.sendHead(length: 6)
            try await responder.write("one")
            try await hasFirst.wait()
            try await responder.write("two")
            try await responder.finish()
        } run: { server in
            var received = ""
            for try await buffer in try await execute(to: server.url()).body {
                received += String(buffer: buffer)
                if received == "one" { hasFirst.fire() }
            }
            #expect(received == "onetwo")
        }
    }

    @Test("content of another length is Soto's error, and a cancelled call is a CancellationError")
    func errors() async throws {
        let hasCall = TestSignal()
        try await withTestServer { (request: TestRequest, responder: TestResponder) in
            if request.method == .get { hasCall.fire() }
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            let short = AsyncStream<ByteBuffer> { continuation in
                continuation.yield(ByteBuffer(string: "short"))
                continuation.finish()
            }
            await #expect(throws: AWSClient.ClientError.bodyLengthMismatch) {
                try await execute(.PUT, AWSHTTPBody(asyncSequence: short, length: 7), to: server.url())
            }
            let call = Task { try await execute(to: server.url()) }
            try await hasCall.wait()
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
    }

    @Test("a server that sends nothing ends the call after the timeout")
    func timeout() async throws {
        try await withTestServer { _ in
            .never
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await execute(timeout: .milliseconds(50), to: server.url())
            }
            #expect(error?.code == .timeout && error?.phase == .head)
        }
    }
}
