import Foundation
import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@Suite("The connection pool", .serialized, .timeLimit(.minutes(3)))
struct PoolTests {
    /// A debug build needs long for 100,000 callers, so continuous integration uses fewer.
    private static let callers = ProcessInfo.processInfo.environment["SOCKEYE_CALLERS"].flatMap { Int($0) } ?? 8_000

    @Test("the pool serves any number of callers in bounded memory, and batches of callers in order of arrival")
    func queue() async throws {
        let count = Self.callers
        let served = Shared<[Int]>([])
        let mayBegin = TestSignal()
        let server = try await TestServer.start { request in
            if request.path == "/first" { try await mayBegin.wait(timeout: .seconds(170)) }
            if let number = Int(request.path.dropFirst()) { served.value.withLock { $0.append(number) } }
            return .ok("ok")
        }
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = 1
        configuration.timeouts.pool = .unlimited
        let client = HTTPClient(configuration: configuration)
        let before = HeapUsage.current()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await client.get(server.url("/first")).bytes() }
            await eventually("the first request") { server.activity.requests == 1 }
            // The callers start in batches, each queued before the next, because tasks start in no particular order.
            let batch = 1000
            for start in stride(from: 0, to: count, by: batch) {
                for number in start..<min(count, start + batch) {
                    group.addTask {
                        let text = try? await client.get(server.url("/\(number)")).text()
                        #expect(text == "ok")
                    }
                }
                await eventually("a batch in the queue", within: .seconds(60)) {
                    client.pool?.statistics.waiting == min(count, start + batch)
                }
            }
            let each = (HeapUsage.current() - before) / count
            #expect(each < 32_768, "\(each) bytes for each waiting caller")
            mayBegin.fire()
        }
        let order = served.value.withLock { $0 }
        #expect(order.count == count)
        #expect(zip(order, order.dropFirst()).allSatisfy { $0 / 1000 <= $1 / 1000 }, "the batches were served in order")
        #expect(server.activity.connections == 1)
        await client.expectAtRest()
    }

    @Test("the pool with one connection serves callers exactly in order")
    func exactOrder() async throws {
        let served = Shared<[String]>([])
        let mayBegin = TestSignal()
        let server = try await TestServer.start { request in
            if request.path == "/first" { try await mayBegin.wait() }
            served.value.withLock { $0.append(request.path) }
            return .ok("ok")
        }
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = 1
        let client = HTTPClient(configuration: configuration)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await client.get(server.url("/first")).bytes() }
            await eventually("the first request") { server.activity.requests == 1 }
            for number in 0..<100 {
                group.addTask { _ = try? await client.get(server.url("/\(number)")).text() }
                await eventually("a waiter") { client.pool?.statistics.waiting == number + 1 }
            }
            mayBegin.fire()
        }
        #expect(served.value.withLock { $0 } == ["/first"] + (0..<100).map { "/\($0)" })
    }

    @Test("the pool never exceeds its limits, per origin or in total", arguments: [(3, 256), (16, 5)])
    func limits(perOrigin: Int, total: Int) async throws {
        let servers = try (0..<3).map { _ in try FaultServer(script: wellBehavedScript) }
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = perOrigin
        configuration.pool.connections = total
        let client = HTTPClient(configuration: configuration)
        let most = Shared(0)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<600 {
                group.addTask {
                    do {
                        _ = try await client.get(servers[index % 3].url()).text()
                    } catch {
                        Issue.record("\(error)")
                    }
                    if let pool = client.pool?.statistics {
                        most.value.withLock { $0 = max($0, pool.idle + pool.leased + pool.dialling) }
                    }
                }
            }
        }
        #expect(most.value.withLock { $0 } <= total)
        for server in servers {
            // A connection that the client has closed stays open on the server until the server reads its end.
            if total > 100 { #expect(server.mostAtOnce <= perOrigin) }
        }
        await client.expectAtRest()
    }

    @Test("the pool immediately refuses one waiter more than allowed")
    func tooManyWaiters() async throws {
        let server = try await TestServer.start { _ in .never }
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = 1
        configuration.pool.waiters = 1
        let client = HTTPClient(configuration: configuration)
        let tasks = (0..<2).map { _ in Task { try await client.get(server.url()) } }
        await eventually("a waiter") {
            let pool = client.pool?.statistics
            return pool?.waiting == 1 && pool?.leased == 1
        }
        let error = await failure { _ = try await client.get(server.url()) }
        #expect(error?.code == .tooManyWaiting)
        #expect(error?.limit?.name == "waiters")
        for task in tasks { task.cancel() }
        await client.expectAtRest()
    }

    @Test("the pool retires connections after their maximum number of uses")
    func uses() async throws {
        let server = try await TestServer.start { request in .ok("\(request.connection)") }
        var configuration = HTTPClient.Configuration()
        configuration.pool.maximumUses = 2
        let client = HTTPClient(configuration: configuration)
        var seen: [String] = []
        for _ in 0..<6 { seen.append(try await client.get(server.url()).text()) }
        #expect(seen == ["0", "0", "1", "1", "2", "2"])
    }

    @Test("the pool retires connections by age, by idle time and by the server's Keep-Alive")
    func time() async throws {
        let clock = ManualClock()
        let server = try FaultServer { peer in
            while let head = try await peer.connection.read(through: "\r\n\r\n") {
                let isHinting = String(decoding: head, as: UTF8.self).contains("/hint")
                let hint = isHinting ? "Keep-Alive: timeout=4\r\n" : ""
                try await peer.connection.write("HTTP/1.1 200 OK\r\n\(hint)Content-Length: 2\r\n\r\nok")
            }
        }
        var configuration = HTTPClient.Configuration()
        configuration.pool.idleTimeout = .seconds(15)
        configuration.pool.maximumAge = .seconds(100)
        let client = HTTPClient(configuration: configuration, clock: clock)
        func get(_ path: String = "/") async throws { #expect(try await client.get(server.url(path)).text() == "ok") }
        for _ in 0..<8 {
            try await get()
            clock.advance(by: .seconds(10))
        }
        #expect(server.connections == 1, "the connection was neither idle for long nor old")
        for _ in 0..<4 {
            try await get()
            clock.advance(by: .seconds(10))
        }
        #expect(server.connections == 2, "the connection was too old, within 10 %")
        try await get()
        clock.advance(by: .seconds(16))
        try await get()
        #expect(server.connections == 3, "the connection was idle for too long")
        try await get("/hint")
        clock.advance(by: .seconds(4))
        try await get()
        #expect(server.connections == 4, "the time of the Keep-Alive hint has passed")
        clock.advance(by: .seconds(16))
        await eventually("the idle connection closed without a request") { server.open == 0 }
    }

    @Test("the pool opens connections before requests need them")
    func prewarm() async throws {
        let server = try FaultServer(script: wellBehavedScript)
        let client = HTTPClient()
        try await client.pool?.prewarm(server.url(), count: 3, as: client)
        await eventually("three idle connections") { client.pool?.statistics.idle == 3 }
        try await client.pool?.prewarm(server.url(), count: 1000, as: client)
        await eventually("as many idle connections as the limit allows") { client.pool?.statistics.idle == 16 }
        #expect(try await client.get(server.url()).text() == "ok")
        await eventually("the server accepted exactly these connections") { server.connections == 16 }
        let closed = try ClosedPort()
        try await client.pool?.prewarm(closed.url(), count: 4, as: client)
        await client.expectAtRest()
    }

    @Test("the pool closes its connections when the last reference to the client is gone")
    func dropping() async throws {
        let server = try FaultServer(script: wellBehavedScript)
        var client: HTTPClient? = HTTPClient()
        #expect(try await client?.get(server.url()).text() == "ok")
        let response = try await client?.get(server.url())
        client = nil
        #expect(try await response?.text() == "ok")
        await eventually("the end of the connections") { server.open == 0 }
    }
}
