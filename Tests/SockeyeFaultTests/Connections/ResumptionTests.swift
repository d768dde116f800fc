import Sockeye
import SockeyeTesting
import Testing

@Suite("TLS sessions of connections that were closed at once", .timeLimit(.minutes(1)))
struct ResumptionTests {
    @Test("a request succeeds after a TLS connection that the server closed at once", arguments: 0..<4)
    func resumption(_ seed: Int) async throws {
        for _ in 0..<25 {
            let server = try FaultServer(tls: try Credentials.server()) { peer in
                guard peer.index == 0 else { return try await wellBehavedScript(peer) }
                try await peer.connection.closeWrite()
            }
            let client = HTTPClient(configuration: try Credentials.configuration())
            _ = await failure { _ = try await client.get(server.url()).text() }
            #expect(try await client.get(server.url()).text() == "ok")
        }
    }
}

@Suite("TLS sessions of unix-domain sockets", .timeLimit(.minutes(1)))
struct SessionKeyTests {
    @Test("a TLS session of one unix-domain socket is not resumed on another")
    func unixSockets() async throws {
        let server = try FaultServer(tls: try Credentials.server()) { peer in
            while try await peer.connection.read(through: "\r\n\r\n") != nil {
                let text = peer.connection.tls?.isResumed == true ? "old" : "new"
                try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n" + text)
            }
        }
        let port = try #require(server.address.port)
        let client = HTTPClient(configuration: try Credentials.configuration())
        var sockets: [RawServer] = []
        func get(_ index: Int) async throws -> String {
            var options = OutgoingRequest.Options()
            options.closesConnection = true
            options.unixSocketPath = String(sockets[index].address.description.dropFirst("unix:".count))
            return try await client.get("https://localhost/", options: options).text()
        }
        for _ in 0..<2 {
            sockets.append(
                try await RawServer.start(
                    on: .temporaryUnixSocket, script: [.run { try await Tunnel.relay($0, to: port) }]))
        }
        #expect(try await get(0) == "new")
        #expect(try await get(0) == "old")
        #expect(try await get(1) == "new")
        #expect(try await get(1) == "old")
        for socket in sockets { await socket.stop() }
    }
}
