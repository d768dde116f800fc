import SockeyeNet
import Testing

@testable import SockeyeTesting

@Suite("Strictness of the test server", .timeLimit(.minutes(1)))
struct StrictnessTests {
    private static let malformed: [String] = [
        "\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /\r\nHost: x\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
        "G(T / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: x\r\n\r\n",
        "GET / http/1.1\r\nHost: x\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /\u{e4} HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET a HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nnothing\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n: v\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: b\u{0}c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\n1",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 1\r\n\r\n1",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n1",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n1",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ]

    @Test("the server answers 400 to a malformed head and records a failure", arguments: malformed)
    func malformedHead(request: String) async throws {
        let server = try await TestServer.start { _ in .ok() }
        let client = try await RawClient(server.address)
        try await client.send(request)
        #expect(try await client.response().head.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(server.failures.count == 1)
        #expect((server.failures.first?.error as? TestServerError)?.code == .malformedRequest)
        #expect(throws: TestServerFailures.self) { try server.checkForFailures() }
    }

    private static let malformedContent = [
        "x\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", " 1\r\n", "\r\n", "1\nx", "1\r\nab\r\n", "ffffffffffffffffff\r\n",
        "0\r\nbad\r\n\r\n", "0\r\n\n\r\n", "0\r\nA: b\r\n\n\r\n",
    ]

    @Test("a handler that reads malformed chunks fails", arguments: malformedContent)
    func malformedChunks(body: String) async throws {
        let server = try await TestServer.start { request in .ok(try await request.text()) }
        let client = try await RawClient(server.address)
        try await client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
        #expect(try await client.response().head.hasPrefix("HTTP/1.1 500"))
        #expect((server.failures.first?.error as? TestServerError)?.code == .malformedRequest)
    }

    @Test("malformed chunks that the handler does not read are a failure", arguments: malformedContent)
    func unreadChunks(body: String) async throws {
        let server = try await TestServer.start { _ in .ok("x") }
        let client = try await RawClient(server.address)
        try await client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
        #expect(try await client.response().body == "x")
        #expect(try await client.rest() == "")
        #expect(server.failures.count == 1)
        #expect((server.failures.first?.error as? TestServerError)?.code == .malformedRequest)
    }

    @Test("the server refuses a head of 300 KiB")
    func endlessHead() async throws {
        let server = try await TestServer.start { _ in .ok() }
        let client = try await RawClient(server.address)
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\nA: " + String(repeating: "a", count: 300 << 10))
        #expect(try await client.response().head.hasPrefix("HTTP/1.1 400"))
    }

    @Test("a head of more than 256 KiB is malformed, even if it arrives in one piece")
    func largeHead() throws {
        let start = "GET / HTTP/1.1\r\nHost: x\r\nA: "
        let room = RequestHeadParser.limit - start.utf8.count - "\r\n\r\n".utf8.count
        func count(of length: Int) throws -> Int? {
            var parser = RequestHeadParser()
            let head = Array((start + String(repeating: "a", count: length) + "\r\n\r\n").utf8)
            return try unsafe head.withUnsafeBytes { try unsafe parser.parse($0)?.count }
        }
        #expect(try count(of: room) == RequestHeadParser.limit)
        #expect(throws: MalformedRequest.self) { try count(of: room + 1) }
    }

    @Test("trailers of more than 256 KiB are malformed, even if they arrive in one piece")
    func largeTrailers() throws {
        let room = RequestHeadParser.limit - "A: \r\n\r\n".utf8.count
        func trailerCount(of length: Int) throws -> Int {
            var decoder = RequestBodyDecoder(.chunked)
            let body = Array(("0\r\nA: " + String(repeating: "a", count: length) + "\r\n\r\n").utf8)
            _ = try unsafe body.withUnsafeBytes { try unsafe decoder.next($0) }
            return decoder.trailers.count
        }
        #expect(try trailerCount(of: room) == 1)
        #expect(throws: MalformedRequest.self) { try trailerCount(of: room + 1) }
    }
}
