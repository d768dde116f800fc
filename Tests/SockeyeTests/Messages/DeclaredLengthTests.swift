import Sockeye
import SockeyeTesting
import Testing

@Suite("Content-Length set by the caller", .timeLimit(.minutes(1)))
struct DeclaredLengthTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    private func stream(_ text: String = "content") -> OutgoingRequest.Body {
        .stream(
            AsyncStream<[UInt8]> { continuation in
                continuation.yield(Array(text.utf8))
                continuation.finish()
            })
    }

    @Test("a Content-Length of the caller is the length of a stream that declares no length")
    func used() async throws {
        let server = try await RawServer.start(script: [.readRequest, .send(Self.ok), .readToEnd])
        _ = try await HTTPClient().post(server.url(), .body(stream()), headers: [.contentLength: "7"])
        #expect(server.receivedText().contains("Content-Length: 7\r\n"))
        #expect(!server.receivedText().contains("Transfer-Encoding") && server.receivedText().hasSuffix("content"))
        await server.stop()
    }

    @Test("a stream of another length than the caller's Content-Length fails the request")
    func mismatch() async throws {
        let server = try await RawServer.start(script: [.readRequestHead, .readToEnd])
        for text in ["conten", "contents"] {
            let error = await #expect(throws: SockeyeError.self) {
                try await HTTPClient().post(server.url(), .body(stream(text)), headers: [.contentLength: "7"])
            }
            #expect(error?.code == .bodyLengthMismatch)
        }
        await server.stop()
    }

    @Test(
        "the error about an invalid Content-Length names the argument to use",
        arguments: ["", "x", "-1", "+7", "7, 7", "9223372036854775807", "18446744073709551616"])
    func malformed(value: String) async throws {
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient().post("http://127.0.0.1:1/", .body(stream()), headers: [.contentLength: value])
        }
        #expect(error?.code == .invalidRequest && error?.blame == .caller)
        #expect(error?.message.contains("`length:`") == true)
    }

    @Test("a Content-Length is ignored if the body knows its length, is compressed or has trailers")
    func unused() async throws {
        let server = try await RawServer.start(script: [.loop([.readRequest, .send(Self.ok)])])
        let client = HTTPClient()
        let headers: Headers = [.contentLength: "3"]
        _ = try await client.post(server.url(), .body("content"), headers: headers)
        _ = try await client.post(server.url(), .body(stream()), headers: headers, options: .compressing(.gzip))
        _ = try await client.post(server.url(), .body(stream().trailers { ["A": "1"] }), headers: headers)
        let text = server.receivedText()
        #expect(text.contains("Content-Length: 7\r\n") && !text.contains("Content-Length: 3\r\n"))
        #expect(text.ranges(of: "Transfer-Encoding: chunked\r\n").count == 2)
        await server.stop()
    }
}
