import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

@Suite("Answers with a malformed body", .serialized, .timeLimit(.minutes(1)))
struct BrokenBodyTests {
    private static let head = "HTTP/1.1 404 Not Found\r\nX-Why: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test(
        "the valid start of a malformed body is delivered, and reading the rest fails",
        arguments: [
            "x\r\n", "2\r\nokay\r\n", "2\r\nok\r\n-1\r\n", "2\r\nok\r\n0\r\nA: b\r\n folded\r\n\r\n",
            "2\r\nok\r\n0\r\nno colon\r\n\r\n", "2\r\nok\r\n1;\(String(repeating: "x", count: 5000))\r\n",
        ], [false, true])
    func broken(body: String, isWhole: Bool) async throws {
        let server = try FaultServer { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            _ = try await peer.connection.read(through: "\r\n\r\n")
            if isWhole {
                try await peer.connection.write(Self.head + body)
            } else {
                for byte in (Self.head + body).utf8 { try await peer.connection.write(Bytes([byte])) }
            }
            try await peer.connection.discardToEnd()
        }
        let client = HTTPClient()
        let response = try await client.get(server.url())
        #expect(response.status == .notFound && response["X-Why"] == "a")
        var content = ""
        let error = await failure {
            for try await chunk in response.body { content += String(decoding: chunk, as: UTF8.self) }
        }
        #expect(content == (body.hasPrefix("2") ? "ok" : ""))
        #expect(error?.phase == .body && error?.url == server.url())
        #expect(error?.code == .malformedResponse || error?.code == .limitExceeded)
        #expect(try await client.get(server.url()).text() == "ok")
        await client.expectAtRest()
    }

    @Test("a redirect with a malformed body is followed, because its body is not read", arguments: [false, true])
    func redirect(isWhole: Bool) async throws {
        let server = try FaultServer { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            _ = try await peer.connection.read(through: "\r\n\r\n")
            let head = "HTTP/1.1 302 X\r\nLocation: /b\r\nTransfer-Encoding: chunked\r\n\r\n"
            for piece in isWhole ? [head + "no chunk\r\n"] : [head, "no chunk\r\n"] {
                try await peer.connection.write(piece)
            }
            try await peer.connection.discardToEnd()
        }
        #expect(try await HTTPClient().get(server.url()).text() == "ok")
    }
}
