import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import SockeyeCache

@Suite("Shutdown of a client", .timeLimit(.minutes(1)))
struct ShutdownTests {
    @Test("a graceful shutdown serves running and waiting requests, and refuses new ones")
    func graceful() async throws {
        let mayAnswer = TestSignal()
        let server = try await TestServer.start { _ in
            try await mayAnswer.wait()
            return .ok("ok")
        }
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = 2
        let client = HTTPClient(configuration: configuration)
        let tasks = (0..<6).map { _ in Task { try await client.get(server.url()).text() } }
        await eventually("waiters") {
            let pool = client.pool?.statistics
            return pool?.leased == 2 && pool?.waiting == 4
        }
        let end = Task { await client.shutDown() }
        await eventually("the refusal of new requests") { await refusesNewCalls(client, server) }
        mayAnswer.fire()
        for task in tasks { #expect(try await task.value == "ok") }
        await end.value
        await client.shutDown()
        await client.shutDown(graceful: false)
        try await server.wait { $0.openConnections == 0 }
    }

    @Test(
        "a graceful shutdown lets a running call follow a redirect, retry and fetch a token",
        arguments: [302, 503, 401], [false, true])
    func continued(status: Int, isWrapped: Bool) async throws {
        let (mayAnswer, hasAnswered) = (TestSignal(), TestSignal())
        let server = try await TestServer.start { request in
            if request.path == "/new" { return .ok() }
            try await mayAnswer.wait()
            if hasAnswered.isFired { return .ok("ok") }
            hasAnswered.fire()
            return .status(status, headers: ["Location": "/end", "WWW-Authenticate": "Bearer"])
        }
        let plain = isWrapped ? HTTPClient(transport: WrappedTransport()) : HTTPClient()
        let client = plain.adding(
            .cache(CachePolicy.MemoryStore(limit: 1 << 20)), .retry(max: 1, backoff: .none),
            .bearer(initial: .init("old")) { .init("new") })
        let options = OutgoingRequest.Options().timeout(total: .seconds(50))
        let task = Task { try await client.get(server.url(), options: options).text() }
        try await server.wait { $0.requests == 1 }
        let end = Task { await client.shutDown() }
        await eventually("the refusal of new requests") { await refusesNewCalls(client, server) }
        mayAnswer.fire()
        #expect(try await task.value == "ok")
        await end.value
    }

    @Test("a graceful shutdown waits for a call that pauses before its retry")
    func pausing() async throws {
        let clock = ManualClock()
        let server = try await TestServer.start { _ in .status(503) }
        let client = HTTPClient(configuration: .init(), clock: clock)
            .adding(.retry(max: 1, backoff: .constant(.seconds(1))))
        let task = Task { try await client.get(server.url()).status.code }
        try await server.wait { $0.responses == 1 }
        try await clock.advancing(by: .milliseconds(10)) { await client.shutDown() }
        #expect(server.activity.requests == 2)
        #expect(try await task.value == 503)
    }

    @Test("after the limit of a graceful shutdown, a call that pauses before its retry sends nothing")
    func pausingTooLong() async throws {
        let clock = ManualClock()
        let server = try await TestServer.start { _ in .status(503) }
        let client = HTTPClient(configuration: .init(), clock: clock)
            .adding(.retry(max: 1, backoff: .constant(.seconds(10))))
        let task = Task { await failure { _ = try await client.get(server.url()) } }
        try await server.wait { $0.responses == 1 }
        try await clock.advancing(by: .milliseconds(10)) { await client.shutDown(within: .seconds(1)) }
        let error = try await clock.advancing(by: .milliseconds(10)) { await task.value }
        #expect(error?.code == .shutDown)
        #expect(server.activity.requests == 1)
    }

    /// Suspends the calls to one path.
    private struct Gate: Interceptor {
        let isReached = TestSignal()
        let mayPass = TestSignal()

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            if request.url.path == "/late" {
                isReached.fire()
                try await mayPass.wait()
            }
            return try await call.proceed(request)
        }
    }

    @Test("a graceful shutdown does not wait for a call that began after it and is in an interceptor")
    func lateCall() async throws {
        let (mayAnswer, gate) = (TestSignal(), Gate())
        let server = try await TestServer.start { _ in
            try await mayAnswer.wait()
            return .ok("ok")
        }
        let client = HTTPClient().adding(gate)
        let running = Task { try await client.get(server.url()).text() }
        try await server.wait { $0.requests == 1 }
        let end = Task { await client.shutDown(within: .seconds(300)) }
        await eventually("the refusal of new requests") { await refusesNewCalls(client, server) }
        let late = Task { await failure { _ = try await client.get(server.url("late")) } }
        try await gate.isReached.wait()
        mayAnswer.fire()
        #expect(try await running.value == "ok")
        await end.value
        gate.mayPass.fire()
        #expect(await late.value?.code == .shutDown)
    }

    /// The deadline ends a call that began before the shutdown. A call to another path joins no running request.
    private func refusesNewCalls(_ client: HTTPClient, _ server: TestServer) async -> Bool {
        let options = OutgoingRequest.Options().timeout(total: .milliseconds(50))
        do throws(SockeyeError) {
            _ = try await client.get(server.url("new"), options: options)
            return false
        } catch {
            return error.code == .shutDown
        }
    }

    /// A user's transport that forwards to the built-in one.
    private struct WrappedTransport: HTTPTransport {
        let base = SocketTransport()
        var sockets: SocketTransport? { base }

        func send(_ request: OutgoingRequest) async throws -> IncomingResponse { try await base.send(request) }
    }

    @Test(
        "an immediate shutdown fails running and waiting requests with an error that does not blame the peer",
        arguments: [false, true])
    func forced(overTLS: Bool) async throws {
        let server = try FaultServer(tls: overTLS ? try Credentials.server() : nil) { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            if peer.index == 0 { try await peer.connection.write("HTTP/1.1 200 OK\r\n\r\nsome") }
            try await peer.connection.discardToEnd()
        }
        var configuration = try Credentials.configuration()
        configuration.pool.connectionsPerOrigin = 2
        let client = HTTPClient(configuration: configuration)
        // A body that is delimited by the end of the connection must not look complete because the client closed it.
        let response = try await client.get(server.url())
        let tasks = (0..<3).map { _ in Task { await failure { _ = try await client.get(server.url()) } } }
        let reading = Task { await failure { _ = try await response.text() } }
        await eventually("waiters") {
            let pool = client.pool?.statistics
            return pool?.leased == 2 && pool?.waiting == 2
        }
        await client.shutDown(graceful: false)
        for task in tasks + [reading] {
            let error = await task.value
            #expect(error?.code == .shutDown, "\(String(describing: error))")
            #expect(error?.blame == .caller)
        }
        await client.expectAtRest()
        await eventually("closed connections") { server.open == 0 }
        let error = await failure { _ = try await client.get(server.url()) }
        #expect(error?.code == .shutDown)
    }

    @Test("a graceful shutdown does not wait for a connection that no call needs any more")
    func abandonedDial() async throws {
        let hole = try await BlackholeServer.start()
        let clock = ManualClock()
        let client = HTTPClient(configuration: .init(), clock: clock)
        let call = Task { await failure { _ = try await client.get("http://127.0.0.1:\(hole.port)/") } }
        await eventually("a dial") { client.pool?.statistics.dialling == 1 }
        call.cancel()
        #expect(await call.value?.code == .cancelled)
        // The clock stands still, so neither the limit of the shutdown nor the deadline of the dial passes.
        await client.shutDown()
        #expect(client.pool?.statistics.dialling == 1)
        try await clock.advancing(by: .seconds(1)) { await client.expectAtRest() }
        withExtendedLifetime(hole) {}
    }

    @Test("a graceful shutdown becomes an immediate one after its limit")
    func limit() async throws {
        let server = try await TestServer.start { _ in .never }
        let client = HTTPClient()
        let task = Task { await failure { _ = try await client.get(server.url()) } }
        try await server.wait { $0.requests == 1 }
        await client.shutDown(within: .milliseconds(50))
        #expect(await task.value?.code == .shutDown)
        try await server.wait { $0.openConnections == 0 }
    }
}
