import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Cancelled requests", .serialized, .timeLimit(.minutes(1)))
struct CancellationTests {
    @Test(
        "a cancelled request ends promptly, frees its place in the pool and closes its connection",
        arguments: Obstacle.allCases)
    func atObstacle(_ obstacle: Obstacle) async throws {
        let stuck = try await StuckRequest(at: obstacle)
        defer { stuck.endProducer() }
        // A dial continues without its request up to these limits. The clock stands still until the request has ended.
        var timeouts = Timeouts()
        timeouts.resolve = .seconds(2)
        timeouts.connect = .seconds(2)
        timeouts.tls = .seconds(2)
        let clock = ManualClock()
        let client = HTTPClient(configuration: try stuck.configuration(timeouts), clock: clock)
        try await stuck.occupyPool(of: client)
        let task = Task { await failure { try await stuck.request(with: client) } }
        try await stuck.waitUntilStuck(client)
        let start = ContinuousClock.now
        task.cancel()
        let error = await task.value
        #expect(ContinuousClock.now - start < .seconds(5), "prompt; a generous bound for a loaded machine")
        check(error, at: obstacle)
        #expect(client.pool?.statistics.waiting == 0)
        stuck.vacatePool()
        try await clock.advancing(by: .milliseconds(20)) {
            await client.expectAtRest()
            stuck.wakePeer()
            await eventually("a closed connection") { stuck.server.open == 0 }
        }
    }

    private func check(_ error: SockeyeError?, at obstacle: Obstacle) {
        #expect(error?.code == .cancelled, "\(String(describing: error))")
        #expect(error?.blame == .caller)
        // The pool shows that a dial has begun, but not how far it has progressed.
        let phases: [SockeyeError.Phase] = obstacle == .connect ? [.resolve, .connect] : [obstacle.phase]
        #expect(error.map { phases.contains($0.phase) } == true, "\(String(describing: error))")
    }

    @Test("a request that was cancelled before it began sends nothing and leaves idle connections unchanged")
    func beforeStart() async throws {
        let server = try await TestServer.start { _ in .ok("ok") }
        let client = HTTPClient()
        for round in 0..<2 {
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return await failure { _ = try await client.post(server.url(), .body("x")) }
            }
            task.cancel()
            let error = await task.value
            #expect(error?.code == .cancelled)
            #expect(server.activity.requests == round)
            #expect(try await client.get(server.url()).text() == "ok")
        }
        #expect(server.activity.connections == 1)
    }

    @Test("requests that are cancelled at random moments do not disturb other requests")
    func atRandom() async throws {
        let server = try await TestServer.start { request in
            if request.path == "/slow" { return .source(length: 200_000) }
            return .ok(String(repeating: "x", count: 1000))
        }
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = 8
        let client = HTTPClient(configuration: configuration)
        let undisturbed = await withTaskGroup(of: Bool.self) { group in
            var random = Seeded(state: 42)
            for index in 0..<1000 {
                let delay = index % 4 == 0 ? nil : Int(random.next() % 300)
                let url = server.url(index % 3 == 0 ? "/slow" : "/")
                group.addTask { await Self.request(url, with: client, cancelledAfter: delay) }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(undisturbed == 250)
        await client.expectAtRest()
        await client.pool?.closeIdle()
        try await server.wait { $0.openConnections == 0 }
    }

    /// Returns true if the request has succeeded and `turns` is nil, so that it was not cancelled.
    private static func request(_ url: String, with client: HTTPClient, cancelledAfter turns: Int?) async -> Bool {
        let work = Task { try await client.get(url).bytes().count }
        if let turns {
            for _ in 0..<turns { await Task.yield() }
            work.cancel()
        }
        switch await work.result {
        case .success: return turns == nil
        case .failure(let error as SockeyeError):
            #expect(turns != nil && error.code == .cancelled, "\(error)")
        case .failure(let error): Issue.record("\(error)")
        }
        return false
    }
}
