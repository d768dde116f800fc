import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// Tests of idle connections that their servers end before another request uses them.
@Suite("Idle connections", .serialized, .timeLimit(.minutes(1)))
struct IdleEndTests {
    enum End: String, CaseIterable, Sendable {
        case close, reset, strayBytes
        /// The end arrives in one packet with the answer, or directly after it.
        case withAnswer
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func server(_ end: End, when mayEnd: TestSignal, overTLS: Bool) throws -> FaultServer {
        let answering = TestSignal()
        let count = Self.count
        let box = Shared(0)
        return try FaultServer(tls: overTLS ? try Credentials.server() : nil) { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            // All requests are answered together, so that each has a connection of its own.
            if box.value.withLock({
                $0 += 1
                return $0
            }) == count {
                answering.fire()
            }
            try await answering.wait(timeout: .seconds(50))
            try await peer.connection.write(Self.ok)
            if end == .withAnswer { return }
            try await mayEnd.wait(timeout: .seconds(50))
            switch end {
            case .close, .withAnswer: break
            case .reset: peer.connection.reset()
            case .strayBytes:
                try await peer.connection.write("HTTP/1.1 408 Request Timeout\r\n\r\n")
                try await peer.connection.discardToEnd()
            }
        }
    }

    private static let count = 200

    @Test(
        "an idle connection that the server ended or sent stray bytes on is closed without another request",
        arguments: End.allCases,
        [false, true])
    func ended(_ end: End, overTLS: Bool) async throws {
        let clock = ManualClock()
        let mayEnd = TestSignal()
        let count = Self.count
        let server = try server(end, when: mayEnd, overTLS: overTLS)
        var configuration = try Credentials.configuration()
        configuration.pool.connectionsPerOrigin = count
        configuration.pool.idleTimeout = .seconds(3600)
        configuration.timeouts = Timeouts(connect: .unlimited, stall: .unlimited)
        configuration.timeouts.tls = .unlimited
        configuration.timeouts.head = .unlimited
        let client = HTTPClient(configuration: configuration, clock: clock)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { _ = try? await client.get(server.url()).text() } }
        }
        #expect(server.connections == count)
        if end != .withAnswer { #expect(client.pool?.statistics.idle == count) }
        mayEnd.fire()
        // The kernel needs real time to deliver the ends; the pool reacts in the time of the manual clock.
        await eventually("no connection") {
            clock.advance(by: .seconds(1))
            return client.pool?.statistics.idle == 0
        }
        let closed = client.pool?.statistics.closed
        #expect(closed?.closedByPeer == count || end == .withAnswer && closed?.total == count)
        await eventually("all descriptors are closed") { server.open == 0 }
    }

    @Test("an idle connection that never expires is closed after its server closed it")
    func withoutExpiry() async throws {
        let (clock, mayEnd) = (ManualClock(), TestSignal())
        let server = try FaultServer { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write(Self.ok)
            try await mayEnd.wait(timeout: .seconds(50))
        }
        var configuration = HTTPClient.Configuration()
        configuration.pool.idleTimeout = .unlimited
        configuration.pool.maximumAge = nil
        let client = HTTPClient(configuration: configuration, clock: clock)
        #expect(try await client.get(server.url()).text() == "ok")
        #expect(client.pool?.statistics.idle == 1)
        mayEnd.fire()
        await eventually("no connection") {
            clock.advance(by: .seconds(1))
            return client.pool?.statistics.idle == 0
        }
        #expect(client.pool?.statistics.closed.closedByPeer == 1)
        await eventually("the descriptor is closed") { server.open == 0 }
    }

    @Test("an idle connection is kept while its server sends nothing but session tickets", arguments: [false, true])
    func kept(overTLS: Bool) async throws {
        let clock = ManualClock()
        let server = try FaultServer(tls: overTLS ? try Credentials.server() : nil, script: wellBehavedScript)
        var configuration = try Credentials.configuration()
        configuration.pool.maximumAge = nil
        let client = HTTPClient(configuration: configuration, clock: clock)
        for _ in 0..<5 {
            #expect(try await client.get(server.url()).text() == "ok")
            for _ in 0..<10 {
                clock.advance(by: .seconds(1))
                #expect(client.pool?.statistics.idle == 1)
            }
        }
        #expect(server.connections == 1)
        #expect(client.pool?.statistics.reused == 4)
    }
}
