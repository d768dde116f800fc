import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Clients that share one pool.
@Suite("Shared pools", .timeLimit(.minutes(1)))
struct SharedPoolTests {
    @Test("two clients share one total limit and one queue, but no connection")
    func limits() async throws {
        try await PoolServer.run { server, gate in
            let pool = ConnectionPool(configuration: PoolOptions(connections: 1))
            let clients = [HTTPClient(pool: pool), HTTPClient(pool: pool)]
            #expect(clients.allSatisfy { $0.pool === pool })
            let first = PoolServer.get(clients[0], server.url("/held"))
            try await server.wait { $0.requests == 1 }
            let second = PoolServer.get(clients[1], server.url())
            await eventually("a waiter") { pool.statistics.waiting == 1 }
            #expect(pool.statistics.leased == 1 && pool.statistics.dialling == 0)
            gate.fire()
            #expect(try await first.value == "0")
            #expect(try await second.value == "1")
            #expect(pool.statistics.created == 2 && pool.statistics.closed.evicted == 1)
        }
    }

    @Test("a released client closes only its own connections; a connection in use closes after its exchange")
    func clientEnds() async throws {
        try await PoolServer.run { server, _ in
            let pool = ConnectionPool()
            let staying = HTTPClient(pool: pool)
            #expect(try await staying.get(server.url()).text() == "0")
            var leaving: HTTPClient? = HTTPClient(pool: pool)
            _ = try await leaving?.get(server.url()).text()
            let held = try await leaving?.get(server.url("/large"))
            #expect(pool.statistics.leased == 1)
            _ = try await leaving?.get(server.url()).text()
            leaving = nil
            await eventually("one idle connection") { pool.statistics.idle == 1 }
            #expect(try await held?.text().count == 4 << 20)
            try await server.wait { $0.openConnections == 1 }
            #expect(try await staying.get(server.url()).text() == "0")
        }
    }

    @Test("the shutdown of a client does not affect other clients of the pool", arguments: [true, false])
    func shutDown(graceful: Bool) async throws {
        try await PoolServer.run { server, gate in
            let pool = ConnectionPool(configuration: PoolOptions(connectionsPerOrigin: 1))
            let (ending, staying) = (HTTPClient(pool: pool), HTTPClient(pool: pool))
            let running = PoolServer.get(ending, server.url("/held"))
            try await server.wait { $0.requests == 1 }
            let waiting = PoolServer.get(ending, server.url("/held"))
            await eventually("a waiter") { pool.statistics.waiting == 1 }
            let other = PoolServer.get(staying, server.url("/held"))
            try await server.wait { $0.requests == 2 }
            let end = Task { await ending.shutDown(graceful: graceful) }
            await eventually("the refusal of new requests") {
                var options = OutgoingRequest.Options()
                options.timeouts = Timeouts(pool: .milliseconds(10))
                do throws(SockeyeError) {
                    _ = try await ending.get(server.url(), options: options)
                    return false
                } catch {
                    return error.code == .shutDown
                }
            }
            if !graceful { await end.value }
            gate.fire()
            for task in [running, waiting] {
                let text = try? await task.value
                #expect((text != nil) == graceful)
            }
            await end.value
            #expect(try await other.value == "1")
            #expect(try await staying.get(server.url()).text() == "1")
            #expect(pool.statistics.origins.map(\.idle) == [1])
            #expect(try await HTTPClient(pool: pool).get(server.url()).status == .ok)
            _ = server.takeFailures()
        }
    }

    @Test("at the time limit of a client's shutdown, only the exchanges of that client fail")
    func shutDownLimit() async throws {
        try await PoolServer.run { server, gate in
            let pool = ConnectionPool()
            let (ending, staying) = (HTTPClient(pool: pool), HTTPClient(pool: pool))
            let tasks = [PoolServer.get(ending, server.url("/held")), PoolServer.get(staying, server.url("/held"))]
            try await server.wait { $0.requests == 2 }
            await ending.shutDown(within: .milliseconds(10))
            let error = await #expect(throws: SockeyeError.self) { try await tasks[0].value }
            #expect(error?.code == .shutDown)
            gate.fire()
            _ = try await tasks[1].value
            _ = server.takeFailures()
        }
    }

    @Test("a client that does not trust the server never gets a connection of a client that trusts it")
    func trust() async throws {
        let authority = try TestCertificateAuthority()
        try await PoolServer.run(tls: TestTLS(authority)) { server, _ in
            let pool = ConnectionPool()
            let (url, trusting) = (server.url("/", host: "localhost"), TLSOptions(roots: authority.roots))
            for _ in 0..<60 {
                var client: HTTPClient? = HTTPClient(pool: pool, configuration: .init(tls: trusting))
                let status = try await client?.get(url).status
                #expect(status == .ok)
                let wary = HTTPClient(pool: pool)
                var error = await #expect(throws: SockeyeError.self) { try await wary.get(url) }
                #expect(error?.code == .tlsFailed)
                client = nil
                // Created after the other client was freed, and usually at the same address.
                let next = HTTPClient(pool: pool)
                error = await #expect(throws: SockeyeError.self) { try await next.get(url) }
                #expect(error?.code == .tlsFailed)
            }
            await eventually("no connection") { pool.statistics.idle + pool.statistics.leased == 0 }
            #expect(pool.statistics.origins.isEmpty)
            _ = server.takeFailures()
        }
    }

    @Test("prewarming opens connections for the given client only")
    func prewarm() async throws {
        try await PoolServer.run { server, _ in
            let pool = ConnectionPool()
            let (one, two) = (HTTPClient(pool: pool), HTTPClient(pool: pool))
            let scope = two.scoped(baseURL: server.url("/base/"))
            try await pool.prewarm("relative", as: scope)
            await eventually("a connection") { pool.statistics.idle == 1 }
            #expect(try await one.get(server.url()).text() == "1")
            #expect(try await two.get(server.url()).text() == "0")
            for other in [HTTPClient(), HTTPClient(transport: MockTransport { _ in .ok() })] {
                let error = await #expect(throws: SockeyeError.self) { try await pool.prewarm(server.url(), as: other) }
                #expect(error?.code == .badConfiguration)
            }
        }
    }

    @Test("resetting the pool drops the TLS sessions of all clients; resetting a client drops only its own")
    func reset() async throws {
        let authority = try TestCertificateAuthority()
        try await withTestServer(tls: TestTLS(authority)) { _ in
            .ok("x", headers: ["Connection": "close"])
        } run: { server in
            let pool = ConnectionPool()
            let clients = (0..<2).map { _ in
                HTTPClient(pool: pool, configuration: .init(tls: TLSOptions(roots: authority.roots)))
            }
            func resumptions() async throws -> [Bool?] {
                var resumptions: [Bool?] = []
                for client in clients {
                    let response = try await client.get(server.url("/", host: "localhost"))
                    _ = try await response.text()
                    resumptions.append(response.tls?.isResumed)
                }
                return resumptions
            }
            let rounds = [try await resumptions(), try await resumptions()]
            #expect(rounds == [[false, false], [true, true]])
            await pool.reset()
            let afterPool = try await resumptions()
            #expect(afterPool == [false, false])
            await pool.reset(only: clients[0])
            let afterClient = try await resumptions()
            #expect(afterClient == [false, true])
        }
    }

    @Test("three hundred clients use one pool and leave no connection behind")
    func many() async throws {
        try await PoolServer.run { server, _ in
            let pool = ConnectionPool(configuration: PoolOptions(connectionsPerOrigin: 4, connections: 20))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<300 {
                    group.addTask {
                        let client = HTTPClient(pool: pool)
                        for _ in 0..<3 { _ = try await client.get(server.url()).text() }
                    }
                }
                try await group.waitForAll()
            }
            await eventually("an empty pool") { pool.statistics.idle + pool.statistics.leased == 0 }
            #expect(pool.statistics.origins.isEmpty && pool.statistics.waiting == 0)
        }
    }
}
