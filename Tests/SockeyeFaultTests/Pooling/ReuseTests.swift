import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Synchronization
import Testing

@Suite("Reused connections", .serialized, .timeLimit(.minutes(1)))
struct ReuseTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Answers the first request on each connection, and closes without an answer when the second arrives.
    private func server(_ log: Shared<[String]>, tls: TLSServerContext? = nil) throws -> FaultServer {
        try FaultServer(tls: tls) { peer in
            var count = 0
            while let head = try await peer.connection.read(through: "\r\n\r\n") {
                let line = String(decoding: Array(head.prefix { $0 != 13 }), as: UTF8.self)
                log.value.withLock { $0.append("\(peer.index) \(line)") }
                count += 1
                if count > 1 {
                    // Waits for the whole stream, because the client could repeat a stream that it has not started.
                    let isStream = String(decoding: Array(head), as: UTF8.self).lowercased().contains("chunked")
                    if isStream { _ = try await peer.connection.read(through: "0\r\n\r\n") }
                    return
                }
                try await peer.connection.write(Self.ok)
            }
        }
    }

    @Test("a GET on a reused connection that is closed is replayed without an error", arguments: [false, true])
    func getIsReplayed(overTLS: Bool) async throws {
        let log = Shared<[String]>([])
        let server = try server(log, tls: overTLS ? try Credentials.server() : nil)
        let client = HTTPClient(configuration: try Credentials.configuration())
        #expect(try await client.get(server.url("/1")).text() == "ok")
        #expect(try await client.get(server.url("/2")).text() == "ok")
        #expect(log.value.withLock { $0 } == ["0 GET /1 HTTP/1.1", "0 GET /2 HTTP/1.1", "1 GET /2 HTTP/1.1"])
        await client.expectAtRest()
    }

    @Test("a POST on a reused connection that is closed is not sent twice")
    func postIsNotReplayed() async throws {
        let log = Shared<[String]>([])
        let server = try server(log)
        let client = HTTPClient()
        #expect(try await client.get(server.url("/1")).text() == "ok")
        let error = await failure { _ = try await client.post(server.url("/2"), .body("x")) }
        #expect(error?.code == .connectionClosed)
        #expect(error?.phase == .head)
        #expect(log.value.withLock { $0 } == ["0 GET /1 HTTP/1.1", "0 POST /2 HTTP/1.1"])
        var options = OutgoingRequest.Options()
        options.isIdempotent = true
        #expect(try await client.get(server.url("/3")).text() == "ok")
        #expect(try await client.post(server.url("/4"), .body("x"), options: options).text() == "ok")
        #expect(log.value.withLock { $0 }.suffix(2) == ["1 POST /4 HTTP/1.1", "2 POST /4 HTTP/1.1"])
        await client.expectAtRest()
    }

    @Test("a PUT on a reused connection that is closed replays a body in memory, not a one-shot stream")
    func oneShotIsNotReplayed() async throws {
        let log = Shared<[String]>([])
        let server = try server(log)
        let client = HTTPClient()
        #expect(try await client.get(server.url("/1")).text() == "ok")
        let error = await failure {
            let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
            continuation.yield([1])
            continuation.finish()
            _ = try await client.put(server.url("/2"), .stream(stream))
        }
        #expect(error?.code == .connectionClosed)
        #expect(log.value.withLock { $0 }.count == 2)
        #expect(try await client.get(server.url("/3")).text() == "ok")
        #expect(try await client.put(server.url("/4"), .body("x")).text() == "ok")
        #expect(log.value.withLock { $0 }.suffix(2) == ["1 PUT /4 HTTP/1.1", "2 PUT /4 HTTP/1.1"])
    }

    @Test(
        "requests succeed although the server closes each connection after one answer without notice",
        arguments: [1, 8])
    func staleRace(parallel: Int) async throws {
        let server = try FaultServer { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write(Self.ok)
        }
        let client = HTTPClient()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<parallel {
                group.addTask {
                    for _ in 0..<1000 / parallel {
                        do {
                            let text = try await client.get(server.url()).text()
                            #expect(text == "ok")
                        } catch {
                            Issue.record("\(error)")
                        }
                    }
                }
            }
        }
        await client.expectAtRest()
    }

    @Test(
        "an idle connection is closed if bytes arrived on it",
        arguments: ["HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n", "x", "HTTP/1.1 200 OK\r\n\r\n"],
        [false, true])
    func bytesWhileIdle(text: String, overTLS: Bool) async throws {
        let taken = TestSignal()
        let sent = TestSignal()
        let server = try FaultServer(tls: overTLS ? try Credentials.server() : nil) { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write(Self.ok)
            // The client must have read the answer before more bytes arrive, or they would be surplus.
            try await taken.wait()
            try await peer.connection.write(text)
            sent.fire()
            try await peer.connection.discardToEnd()
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        #expect(try await client.get(server.url()).text() == "ok")
        await client.expectAtRest()
        taken.fire()
        try await sent.wait()
        // A POST cannot be repeated, so it uses another connection.
        #expect(try await client.post(server.url()).text() == "ok")
        #expect(server.connections == 2)
        await client.expectAtRest()
    }

    @Test(
        "a connection is not reused if bytes follow the answer",
        arguments: ["x", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad"])
    func surplus(text: String) async throws {
        let server = try FaultServer { peer in
            while try await peer.connection.read(through: "\r\n\r\n") != nil {
                try await peer.connection.write(Self.ok + text)
            }
        }
        let client = HTTPClient()
        for _ in 0..<10 { #expect(try await client.get(server.url()).text() == "ok") }
        await client.expectAtRest()
        #expect(server.connections == 10)
    }
}
