import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

@Suite("Servers that exceed limits", .serialized, .timeLimit(.minutes(1)))
struct LimitTests {
    struct Excess: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var start = "HTTP/1.1 200 OK\r\n"
        let endless: String
        let phase: SockeyeError.Phase
        let limit: String
        let configured: String
    }

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let excesses = [
        Excess(
            testDescription: "an endless head", endless: "X-More: \(String(repeating: "y", count: 4000))\r\n",
            phase: .head, limit: "headBytes", configured: "65536 bytes"),
        Excess(
            testDescription: "an endless field", endless: String(repeating: "y", count: 4096), phase: .head,
            limit: "headBytes", configured: "65536 bytes"),
        Excess(
            testDescription: "endless small fields", endless: "A: b\r\n", phase: .head, limit: "fieldCount",
            configured: "200"),
        Excess(
            testDescription: "endless interim responses", start: "", endless: "HTTP/1.1 102 Processing\r\n\r\n",
            phase: .head, limit: "interimBytes", configured: "65536 bytes"),
        Excess(
            testDescription: "endless 100 Continue", start: "", endless: "HTTP/1.1 100 Continue\r\n\r\n", phase: .head,
            limit: "interimBytes", configured: "65536 bytes"),
        Excess(
            testDescription: "an endless chunk extension", start: chunked + "5;",
            endless: String(repeating: "x", count: 4096),
            phase: .body, limit: "chunk framing", configured: "4096 bytes"),
        Excess(
            testDescription: "extensions of endless chunks", start: chunked,
            endless: "1;\(String(repeating: "x", count: 1000))\r\ny\r\n", phase: .body, limit: "chunk framing",
            configured: "16384 bytes"),
        Excess(
            testDescription: "endless trailers", start: chunked + "0\r\n",
            endless: "X-More: \(String(repeating: "y", count: 4000))\r\n", phase: .body, limit: "trailers",
            configured: "16384 bytes"),
        Excess(
            testDescription: "endless small trailers", start: chunked + "0\r\n", endless: "A: b\r\n", phase: .body,
            limit: "trailers", configured: "100"),
    ]

    @Test("a limit stops an endless answer, and the error names the limit", arguments: excesses, [100_000, 1000])
    func excess(_ excess: Excess, piece: Int) async throws {
        let server = try FaultServer { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            if peer.index > 0 {
                return try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            try await peer.connection.write(excess.start)
            let times = max(1, piece / excess.endless.utf8.count)
            let text = Bytes(String(repeating: excess.endless, count: times))
            while true { try await peer.connection.write(text) }
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let error = await failure { _ = try await client.get(server.url()).bytes() }
        #expect(error?.code == .limitExceeded, "\(String(describing: error))")
        #expect(error?.phase == excess.phase, "\(String(describing: error))")
        #expect(error?.blame == .policy)
        #expect(error?.limit?.name == excess.limit, "\(String(describing: error))")
        #expect(error?.limit?.configured == excess.configured)
        #expect(try await client.get(server.url()).text() == "ok")
        await client.expectAtRest()
    }

    @Test("dropping a response with an endless body closes its connection at once")
    func endlessBodyDropped() async throws {
        let server = try await TestServer.start { _ in .source(length: nil) }
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = 1
        let client = HTTPClient(configuration: configuration)
        for _ in 0..<10 {
            let response = try await client.get(server.url())
            #expect(response.status == .ok)
        }
        await client.expectAtRest()
        try await server.wait { $0.openConnections == 0 }
    }

    @Test(
        "a body that is announced too large is refused at its head, and the request is not repeated",
        arguments: [false, true])
    func announcedBodyTooLarge(isWhole: Bool) async throws {
        var configuration = HTTPClient.Configuration()
        configuration.limits.bodyBytes = 4
        let server = try FaultServer { peer in
            while try await peer.connection.read(through: "\r\n\r\n") != nil {
                let body = isWhole ? "123456" : "1"
                try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n" + body)
            }
        }
        let client = HTTPClient(configuration: configuration)
        for _ in 0..<20 {
            let error = await failure { _ = try await client.get(server.url()) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.limit?.description == "limit bodyBytes: 4 bytes, seen 6 bytes")
        }
        await client.expectAtRest()
    }

    @Test("a response with too many content codings is refused", arguments: ["", "1"])
    func tooManyCodings(_ body: String) async throws {
        let codings = Array(repeating: "gzip", count: 50).joined(separator: ", ")
        let server = try FaultServer { peer in
            while try await peer.connection.read(through: "\r\n\r\n") != nil {
                try await peer.connection.write(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: \(codings)\r\nContent-Length: 1\r\n\r\n\(body)")
            }
        }
        let client = HTTPClient()
        for _ in 0..<20 {
            let error = await failure { _ = try await client.get(server.url()) }
            #expect(error?.phase == .decode, "\(String(describing: error))")
        }
        await client.expectAtRest()
    }

    @Test(
        "a response with contradicting framing or an invalid field is malformed, and the peer is blamed",
        arguments: [
            "Content-Length: 1\r\nContent-Length: 2", "Content-Length: -1", "Content-Length: 99999999999999999999",
            "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked, gzip, chunked",
            "Name : value", "no colon",
        ])
    func contradictions(_ lines: String) async throws {
        let server = try FaultServer { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write("HTTP/1.1 200 OK\r\n\(lines)\r\n\r\n0\r\n\r\n")
            try await peer.connection.discardToEnd()
        }
        let client = HTTPClient()
        let error = await failure { _ = try await client.get(server.url()).bytes() }
        #expect(error?.code == .malformedResponse, "\(String(describing: error))")
        #expect(error?.blame == .peer)
        #expect(error?.phase == .head)
        #expect(try await client.get(server.url()).text() == "ok")
        await client.expectAtRest()
    }

    @Test(
        "after an absurd or malformed Keep-Alive hint the next request succeeds",
        arguments: [
            "timeout=99999999999999999999, max=99999999999999999999",
            "timeout=9223372036854775807, max=9223372036854775807", "timeout=-1, max=-1", "timeout=0", "max=0",
            "timeout, max", ",",
        ])
    func keepAliveHints(_ hint: String) async throws {
        let server = try FaultServer { peer in
            while try await peer.connection.read(through: "\r\n\r\n") != nil {
                try await peer.connection.write("HTTP/1.1 200 OK\r\nKeep-Alive: \(hint)\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let client = HTTPClient()
        for _ in 0..<3 { #expect(try await client.get(server.url()).text() == "ok") }
        await client.expectAtRest()
    }

    @Test("an answer that arrives byte by byte is understood", arguments: [false, true])
    func dripping(overTLS: Bool) async throws {
        let answer =
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5;a=b\r\nhello\r\n1\r\n!\r\n0\r\nX-Sum: 6\r\n\r\n"
        let server = try FaultServer(tls: overTLS ? try Credentials.server() : nil) { peer in
            while try await peer.connection.read(through: "\r\n\r\n") != nil {
                for byte in answer.utf8 {
                    try await peer.connection.write(Bytes([byte]))
                    await Task.yield()
                }
            }
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        for _ in 0..<3 {
            let response = try await client.get(server.url())
            #expect(try await response.text() == "hello!")
            #expect(response.trailers?["X-Sum"] == "6")
        }
        #expect(server.connections == 1)
    }
}
