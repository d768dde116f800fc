import Sockeye
import SockeyeNet
import SockeyeTesting
import Testing

@Suite("Connections that end early", .timeLimit(.minutes(1)))
struct ConnectionEndTests {
    @Test(
        "an end before the message is complete is an error with the right phase, and the next request succeeds",
        arguments: Cut.allCases, Ending.allCases)
    func overTCP(cut: Cut, ending: Ending) async throws {
        try await check(cut, ending, tls: nil)
    }

    @Test(
        "over TLS, an early end of the connection is distinguished from the end of a message",
        arguments: Cut.allCases, Ending.allCases)
    func overTLS(cut: Cut, ending: Ending) async throws {
        try await check(cut, ending, tls: try Credentials.server())
    }

    private func check(_ cut: Cut, _ ending: Ending, tls: TLSServerContext?) async throws {
        let server = try FaultServer(tls: tls) { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            if cut.readsRequest { _ = try await peer.connection.read(through: "\r\n\r\n") }
            if !cut.sent.isEmpty { try await peer.connection.write(cut.sent) }
            try await ending.end(peer)
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        if cut == .untilClose, ending.isOrderly(overTLS: tls != nil) {
            #expect(try await client.get(server.url()).text() == "some")
        } else {
            let thrown = await failure { _ = try await client.get(server.url()).text() }
            let error = try #require(thrown)
            #expect(cut.phases(ending).contains(error.phase), "\(error)")
            if error.phase == .connect {
                #expect(error.code == .connectFailed, "\(error)")
            } else {
                #expect(error.code == .connectionClosed && error.blame == .peer, "\(error)")
            }
            #expect(error.attempt == 1, "a fresh connection is no reason to repeat")
        }
        await client.expectAtRest()
        #expect(try await client.get(server.url()).text() == "ok")
        #expect(server.connections == 2)
        await client.expectAtRest()
    }

    @Test(
        "an end during an upload is an error of the send phase", arguments: [Ending.close, .cut, .reset], [false, true])
    func insideUpload(ending: Ending, overTLS: Bool) async throws {
        let server = try FaultServer(tls: overTLS ? try Credentials.server() : nil) { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            _ = try await peer.connection.read(exactly: 100_000)
            try await ending.end(peer)
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let body = OutgoingRequest.Body.bytes(Large.body)
        let error = await failure { _ = try await client.post(server.url(), .body(body)) }
        #expect(error?.code == .connectionClosed, "\(String(describing: error))")
        #expect(error?.phase == .send, "\(String(describing: error))")
        #expect(error?.blame == .peer, "\(String(describing: error))")
        #expect(try await client.get(server.url()).text() == "ok")
        await client.expectAtRest()
    }

    @Test(
        "an end during the TLS handshake is an error of the peer in the TLS phase",
        arguments: ["close", "reset", "afterHello", "text"])
    func insideHandshake(_ how: String) async throws {
        let server = try FaultServer { peer in
            _ = try await peer.connection.read(upTo: 5)
            switch how {
            case "reset": peer.connection.reset()
            case "afterHello": try await peer.connection.write("\u{16}\u{3}\u{3}\u{0}\u{10}half")
            case "text": try await peer.connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
            default: break
            }
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let error = await failure { _ = try await client.get("https://\(server.address)/") }
        #expect([.tlsFailed, .connectionClosed].contains(error?.code), "\(String(describing: error))")
        #expect(error?.phase == .tls)
        #expect(error?.blame == .peer)
        await client.expectAtRest()
    }
}
