import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// The public operations of a connection pool.
@Suite("Connection pool", .timeLimit(.minutes(1)))
struct ConnectionPoolTests {
    @Test("statistics count connections and waiters per origin, over all clients, sorted by host")
    func origins() async throws {
        try await PoolServer.run { server, gate in
            let pool = ConnectionPool(configuration: PoolOptions(connectionsPerOrigin: 1))
            var configuration = HTTPClient.Configuration()
            for host in ["a.test", "b.test"] {
                configuration.hostOverrides[host] = [EndpointAddress(literal: "127.0.0.1", port: 0)].compactMap(\.self)
            }
            let clients = (0..<2).map { _ in HTTPClient(pool: pool, configuration: configuration) }
            _ = try await clients[0].get(server.url("/", host: "b.test")).text()
            let tasks = [0, 0, 1].map { PoolServer.get(clients[$0], server.url("/held", host: "a.test")) }
            await eventually("a waiter") { pool.statistics.leased == 2 && pool.statistics.waiting == 1 }
            let rows = pool.statistics.origins
            #expect(rows.map(\.origin.description) == ["a", "b"].map { "http://\($0).test:\(server.port)" })
            #expect(rows.map { [$0.idle, $0.leased, $0.dialling, $0.waiting] } == [[0, 2, 0, 1], [1, 0, 0, 0]])
            #expect(rows.allSatisfy { $0.unixSocketPath == nil })
            gate.fire()
            for task in tasks { _ = try await task.value }
        }
    }

    @Test("a slow reader of updates gets the latest statistics, and a fast reader waits for the next change")
    func updates() async throws {
        try await PoolServer.run { server, _ in
            let clock = ManualClock()
            let pool = ConnectionPool(configuration: PoolOptions(), clock: clock)
            let client = HTTPClient(pool: pool)
            var updates = pool.statisticsUpdates(every: .seconds(2)).makeAsyncIterator()
            #expect(await updates.next()?.created == 0)
            for _ in 0..<5 { _ = try await client.get(server.url()).text() }
            clock.advance(by: .seconds(2))
            let latest = await updates.next()
            #expect(latest == pool.statistics && latest?.reused == 4)
            let first = TestSignal()
            let reader = Task {
                var updates = pool.statisticsUpdates(every: .seconds(2)).makeAsyncIterator()
                _ = await updates.next()
                first.fire()
                return await updates.next()
            }
            try await first.wait()
            // Nothing changes in the first interval.
            clock.advance(by: .seconds(2))
            await pool.closeIdle()
            clock.advance(by: .seconds(2))
            #expect(await reader.value?.closed.onDemand == 1)
        }
    }

    @Test("updates of the statistics end with the reading task or the pool, and do not retain the pool")
    func updatesEnd() async throws {
        var pool: ConnectionPool? = ConnectionPool()
        let updates = try #require(pool?.statisticsUpdates(every: .milliseconds(-5)))
        let reader = Task {
            var count = 0
            for await _ in updates { count += 1 }
            return count
        }
        reader.cancel()
        #expect(await reader.value <= 1)
        var iterator = updates.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        pool = nil
        #expect(await iterator.next() == nil)
    }

    @Test("raised limits serve waiters at once; lowered limits close excess connections")
    func limits() async throws {
        try await PoolServer.run { server, gate in
            let pool = ConnectionPool(configuration: PoolOptions(connectionsPerOrigin: 1))
            let client = HTTPClient(pool: pool)
            let tasks = (0..<4).map { _ in PoolServer.get(client, server.url("/held")) }
            await eventually("three waiters") { pool.statistics.leased == 1 && pool.statistics.waiting == 3 }
            await pool.update(PoolOptions(connectionsPerOrigin: 3))
            await eventually("two more leased connections") {
                pool.statistics.leased == 3 && pool.statistics.waiting == 1
            }
            #expect(await pool.configuration.connectionsPerOrigin == 3)
            await pool.update(PoolOptions(connectionsPerOrigin: 1))
            gate.fire()
            for task in tasks { _ = try await task.value }
            await eventually("one connection left") { pool.statistics.idle == 1 && pool.statistics.leased == 0 }
            #expect(pool.statistics.closed.limitsLowered == 2)
            try await server.wait { $0.openConnections == 1 }
        }
    }

    @Test("a lowered limit closes idle connections at once, and a shorter idle timeout at the next check")
    func idle() async throws {
        try await PoolServer.run { server, _ in
            let clock = ManualClock()
            let pool = ConnectionPool(configuration: PoolOptions(idleTimeout: .seconds(60)), clock: clock)
            let client = HTTPClient(pool: pool)
            try await pool.prewarm(server.url(), count: 5, as: client)
            await eventually("five idle connections") { pool.statistics.idle == 5 }
            await pool.update(PoolOptions(connections: 2, idleTimeout: .seconds(60)))
            #expect(pool.statistics.idle == 2 && pool.statistics.closed.limitsLowered == 3)
            await pool.update(PoolOptions(connections: 2, idleTimeout: .seconds(5)))
            clock.advance(by: .seconds(6))
            await eventually("no idle connections") { pool.statistics.idle == 0 }
            #expect(pool.statistics.closed.idleTimeout == 2)
        }
    }

    @Test("a drain closes idle connections, waits for those in use, and gives waiters new connections")
    func drain() async throws {
        try await PoolServer.run { server, gate in
            let pool = ConnectionPool(configuration: PoolOptions(connectionsPerOrigin: 2))
            let client = HTTPClient(pool: pool)
            let other = try await TestServer.start { _ in .ok("other") }
            _ = try await client.get(other.url()).text()
            let old = PoolServer.get(client, server.url("/held"))
            try await server.wait { $0.requests == 1 }
            #expect(try await client.get(server.url()).text() == "1")
            let drain = Task { try await pool.drain(server.url("/any/path?q")) }
            await eventually("the end of the idle connection") { pool.statistics.closed.onDemand == 1 }
            let new = PoolServer.get(client, server.url("/held"))
            try await server.wait { $0.requests == 3 }
            let waiting = PoolServer.get(client, server.url())
            await eventually("a waiter") { pool.statistics.waiting == 1 }
            gate.fire()
            #expect(try await drain.value)
            #expect(try await old.value == "0")
            #expect(try await new.value == "2")
            #expect(try await ["2", "3"].contains(waiting.value))
            #expect(pool.statistics.closed.onDemand == 2 && pool.statistics.origins.count == 2)
            await eventually("no leased or dialling connection") {
                pool.statistics.leased + pool.statistics.dialling == 0
            }
            #expect(try await pool.drain(server.url()), "the pool had only idle connections")
            #expect(pool.statistics.origins.map(\.idle) == [1], "the connection of the other origin is left")
        }
    }

    @Test("a drain ends at its time limit and on cancellation, and refuses an invalid URL")
    func drainEnds() async throws {
        try await PoolServer.run { server, gate in
            let client = HTTPClient()
            let pool = try #require(client.pool)
            let held = PoolServer.get(client, server.url("/held"))
            try await server.wait { $0.requests == 1 }
            #expect(try await pool.drain(server.url(), within: .zero) == false)
            let drain = Task { try await pool.drain(server.url()) }
            drain.cancel()
            #expect(try await drain.value == false)
            gate.fire()
            _ = try await held.value
            await eventually("the end of the connection") { pool.statistics.origins.isEmpty }
            let error = await #expect(throws: SockeyeError.self) { try await pool.drain("no url") }
            #expect(error?.code == .invalidURL)
        }
    }
}
