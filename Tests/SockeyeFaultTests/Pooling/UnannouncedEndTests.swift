import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Servers that close connections after suggesting that they stay open.
@Suite("Servers that close connections without notice", .serialized, .timeLimit(.minutes(1)))
struct UnannouncedEndTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("if a server closes after each answer, no GET fails, and no POST fails once the client has noticed")
    func afterEachAnswer() async throws {
        // The server reads the second request before it closes, which is the worst time for the client.
        let server = try FaultServer { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write(Self.ok)
            _ = try await peer.connection.read(through: "\r\n\r\n")
        }
        // The clock stands still, because 250 ms after a close the client would risk a POST on an idle connection. On a
        // slow machine so much time could pass.
        let client = HTTPClient(configuration: HTTPClient.Configuration(), clock: ManualClock())
        #expect(try await client.get(server.url()).text() == "ok")
        #expect(
            try await client.get(server.url()).text() == "ok", "the request was repeated, and the closure was noted")
        for _ in 0..<40 {
            #expect(try await client.post(server.url()).text() == "ok")
            #expect(try await client.get(server.url()).text() == "ok")
        }
        await client.expectAtRest()
    }

    @Test("if a server closes after each answer, at most two of many POSTs with pauses between them fail")
    func trials() async throws {
        let server = try FaultServer { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write(Self.ok)
            _ = try await peer.connection.read(through: "\r\n\r\n")
        }
        let clock = ManualClock()
        let client = HTTPClient(configuration: HTTPClient.Configuration(), clock: clock)
        for _ in 0..<2 { #expect(try await client.get(server.url()).text() == "ok") }
        var lost = 0
        for _ in 0..<20 {
            clock.advance(by: .milliseconds(300))
            do { _ = try await client.post(server.url()).text() } catch { lost += 1 }
            #expect(try await client.get(server.url()).text() == "ok")
        }
        #expect(lost <= 2)
        await client.expectAtRest()
    }

    /// Answers one request after four have arrived, each on its own connection, and ends with `end`.
    private static func answer(
        _ peer: FaultServer.Peer, _ requests: Recorder<Int>, _ mayAnswer: TestSignal, until end: TestSignal
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await peer.connection.read(through: "\r\n\r\n")
                requests.append(peer.index)
                if requests.values.count >= 4 { mayAnswer.fire() }
                try await mayAnswer.wait(timeout: .seconds(50))
                try await peer.connection.write(ok)
                try await end.wait(timeout: .seconds(50))
            }
            // On a busy machine the pool may have opened a connection that got no request. It ends, too.
            group.addTask { try await end.wait(timeout: .seconds(50)) }
            try await group.next()
            group.cancelAll()
        }
    }

    @Test("after a reload of the server, POSTs use new connections for only a quarter of a second")
    func reload() async throws {
        let clock = ManualClock()
        let (mayAnswer, mayEnd) = (TestSignal(), TestSignal())
        let requests = Recorder<Int>()
        let server = try FaultServer { peer in
            guard !mayEnd.isFired else { return try await wellBehavedScript(peer) }
            try await Self.answer(peer, requests, mayAnswer, until: mayEnd)
        }
        let client = HTTPClient(configuration: HTTPClient.Configuration(), clock: clock)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try? await client.post(server.url()).text() } }
        }
        let made = server.connections
        clock.advance(by: .milliseconds(1))
        mayEnd.fire()
        await eventually("the server has closed its connections") { server.open == 0 }
        // The pool's check finds the idle connections closed, each with its own time of the close.
        await eventually("no connection") {
            // The pool checks once a second. On a busy machine a check may come before the close does.
            clock.advance(by: .seconds(1))
            return client.pool?.statistics.idle == 0
        }
        #expect(try await client.post(server.url()).text() == "ok")
        clock.advance(by: .milliseconds(250))
        for _ in 0..<20 { #expect(try await client.post(server.url()).text() == "ok") }
        #expect(server.connections <= made + 2)
        await client.expectAtRest()
    }

    @Test("after a close, connections are trusted for half of the idle time up to the close, not up to its discovery")
    func measured() async throws {
        let clock = ManualClock()
        let mayEnd = TestSignal()
        let server = try FaultServer { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write(Self.ok)
            try await mayEnd.wait(timeout: .seconds(50))
        }
        let other = try FaultServer(script: wellBehavedScript)
        let client = HTTPClient(configuration: HTTPClient.Configuration(), clock: clock)
        #expect(try await client.post(server.url()).text() == "ok")
        clock.advance(by: .milliseconds(500))
        mayEnd.fire()
        await eventually("the server has closed its connections") { server.open == 0 }
        // The client's poller reports the end before this answer, which arrives later.
        #expect(try await client.get(other.url()).text() == "ok")
        clock.advance(by: .seconds(1))
        await eventually("the client has noticed the closure") { client.pool?.statistics.closed.closedByPeer == 1 }
        #expect(try await client.post(server.url()).text() == "ok")
        clock.advance(by: .milliseconds(200))
        #expect(try await client.post(server.url()).text() == "ok")
        #expect(server.connections == 2, "the connection was idle for less than half of 500 ms")
        clock.advance(by: .milliseconds(300))
        #expect(try await client.post(server.url()).text() == "ok")
        #expect(server.connections == 3, "the connection was idle for more than half of 500 ms")
    }

    @Test("after a close, POSTs use new connections to that server for some seconds, but not to other servers")
    func forgiven() async throws {
        let clock = ManualClock()
        let server = try FaultServer { peer in
            if peer.index == 0 {
                _ = try await peer.connection.read(through: "\r\n\r\n")
                return try await peer.connection.write(Self.ok)
            }
            try await wellBehavedScript(peer)
        }
        let other = try FaultServer(script: wellBehavedScript)
        let client = HTTPClient(configuration: HTTPClient.Configuration(), clock: clock)
        #expect(try await client.get(server.url()).text() == "ok")
        await eventually("the server has closed its connections") { server.open == 0 }
        for _ in 0..<3 { #expect(try await client.post(server.url()).text() == "ok") }
        #expect(server.connections == 4, "one connection for each POST")
        for _ in 0..<3 { #expect(try await client.post(other.url()).text() == "ok") }
        #expect(other.connections == 1)
        clock.advance(by: .seconds(12))
        for _ in 0..<3 { #expect(try await client.post(server.url()).text() == "ok") }
        #expect(server.connections == 4)
    }
}
