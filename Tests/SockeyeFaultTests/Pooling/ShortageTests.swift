import Glibc
import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// A client that is limited to a number of connections, as if there were no descriptors for more. `ExitTests`
/// tests a process that really has no descriptors, but only briefly, because libdispatch soon ends such a process.
@Suite("Shortages of descriptors", .serialized, .timeLimit(.minutes(1)))
struct ShortageTests {
    private struct Scene {
        let client: HTTPClient
        let server: TestServer
        let clock = ManualClock()
        let gate = TestSignal()
        let scarcity: Scarcity

        /// Makes a scene.
        ///
        /// - Parameter limit: The number of possible connections.
        init(limit: Int) async throws {
            server = try await TestServer.start { [gate] request in
                if request.path == "/held" { try await gate.wait(timeout: .seconds(50)) }
                return .ok(request.path)
            }
            scarcity = Scarcity(limit)
            var configuration = HTTPClient.Configuration()
            configuration.resolver = scarcity
            configuration.resolverCacheLifetime = nil
            // The clock is advanced during dials.
            configuration.timeouts = Timeouts(connect: .unlimited, stall: .unlimited)
            configuration.timeouts.resolve = .unlimited
            configuration.timeouts.head = .unlimited
            configuration.pool.maximumAge = nil
            configuration.pool.idleTimeout = .seconds(3600)
            client = HTTPClient(configuration: configuration, clock: clock)
            scarcity.client.withLock { [client] in $0 = client }
        }

        func get(_ host: Int, _ path: String = "/") async throws -> String {
            try await client.get("http://h\(host).test:\(server.port)\(path)").text()
        }

        func request(_ host: Int, _ path: String = "/") -> Task<String, any Error> {
            Task { try await get(host, path) }
        }

        func expect(waiting: Int, leased: Int) async {
            await eventually("\(waiting) in line, \(leased) on lease") {
                let pool = client.pool?.statistics
                return pool?.waiting == waiting && pool?.leased == leased && pool?.dialling == 0
            }
        }
    }

    /// A resolver that knows every name. It reports a lack of descriptors in place of connecting when the limit is
    /// reached.
    private final class Scarcity: NameResolver {
        let limit: Mutex<Int>
        let client = Mutex<HTTPClient?>(nil)

        init(_ limit: Int) {
            self.limit = Mutex(limit)
        }

        func resolve(_: String, port: Int) async throws -> [EndpointAddress] {
            guard let pool = client.withLock(\.self)?.pool?.statistics,
                pool.idle + pool.leased < limit.withLock(\.self)
            else { throw ResolveError.outOfResources(.tooManyDescriptors) }
            return [try #require(EndpointAddress(literal: "127.0.0.1", port: port))]
        }
    }

    @Test("idle connections are closed to free descriptors, also those of other origins")
    func idleGoesFirst() async throws {
        let scene = try await Scene(limit: 5)
        for host in 1...20 { #expect(try await scene.get(host, "/\(host)") == "/\(host)") }
        let pool = scene.client.pool?.statistics
        #expect(pool?.closed.evicted == 15)
        #expect(pool?.idle == 5)
        for host in 16...20 { #expect(try await scene.get(host) == "/") }
        #expect(scene.client.pool?.statistics.created == 20, "the most recently used connections stayed open")
    }

    @Test("a request waits until a connection of any origin is released")
    func waits() async throws {
        let scene = try await Scene(limit: 3)
        let held = (1...3).map { scene.request($0, "/held") }
        await scene.expect(waiting: 0, leased: 3)
        let waiting = (4...9).map { scene.request($0, "/\($0)") }
        await scene.expect(waiting: 6, leased: 3)
        scene.gate.fire()
        for (number, task) in waiting.enumerated() { #expect(try await task.value == "/\(number + 4)") }
        for task in held { #expect(try await task.value == "/held") }
        await scene.client.expectAtRest()
    }

    @Test("when the pool deadline passes, the error names the missing resource")
    func deadline() async throws {
        let scene = try await Scene(limit: 1)
        let held = scene.request(1, "/held")
        await scene.expect(waiting: 0, leased: 1)
        let waiting = scene.request(2)
        await scene.expect(waiting: 1, leased: 1)
        for _ in 0..<59 { scene.clock.advance(by: .seconds(1)) }
        #expect(scene.client.pool?.statistics.waiting == 1, "not before its time")
        scene.clock.advance(by: .seconds(1))
        let error = await failure { _ = try await waiting.value }
        #expect(error?.code == .outOfResources)
        #expect(error?.phase == .pool)
        #expect(error?.limit?.name == "timeouts.pool")
        #expect(error?.message.contains("Too many open files") == true)
        scene.gate.fire()
        #expect(try await held.value == "/held")
        await scene.client.expectAtRest()
    }

    @Test("waiting requests continue a second after the shortage ends, although no connection was released")
    func ends() async throws {
        let scene = try await Scene(limit: 1)
        let held = scene.request(1, "/held")
        await scene.expect(waiting: 0, leased: 1)
        let waiting = (2...4).map { scene.request($0) }
        await scene.expect(waiting: 3, leased: 1)
        scene.scarcity.limit.withLock { $0 = 100 }
        scene.clock.advance(by: .seconds(1))
        for task in waiting { #expect(try await task.value == "/") }
        scene.gate.fire()
        #expect(try await held.value == "/held")
    }

    @Test("each request fails at once if no open connection can be released")
    func nothingToWaitFor() async throws {
        let scene = try await Scene(limit: 0)
        let tasks = (1...5).map { scene.request($0) }
        for task in tasks {
            let error = await failure { _ = try await task.value }
            #expect(error?.code == .outOfResources)
            #expect(error?.phase == .resolve)
        }
        await scene.client.expectAtRest()
        scene.scarcity.limit.withLock { $0 = 100 }
        #expect(try await scene.get(1) == "/")
    }

    @Test("requests that are cancelled during the shortage end, and the others are served")
    func cancelled() async throws {
        let scene = try await Scene(limit: 1)
        let held = scene.request(1, "/held")
        await scene.expect(waiting: 0, leased: 1)
        let waiting = (2...40).map { scene.request($0) }
        await scene.expect(waiting: 39, leased: 1)
        for task in waiting.dropLast() { task.cancel() }
        for task in waiting.dropLast() {
            let error = await failure { _ = try await task.value }
            #expect(error?.code == .cancelled)
        }
        scene.gate.fire()
        #expect(try await held.value == "/held")
        #expect(try await waiting[38].value == "/")
        await scene.client.expectAtRest()
    }
}
