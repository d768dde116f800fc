import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Tests of callers that wait in the pool's queue while several events happen at once.
@Suite("The pool's queue", .serialized, .timeLimit(.minutes(2)))
struct PoolQueueTests {
    /// A client with one connection, which one request holds until the gate is opened.
    private struct Scene {
        let client: HTTPClient
        let server: TestServer
        let clock = ManualClock()
        let gate = TestSignal()
        let first: Task<Void, any Error>

        init(_ configure: (inout HTTPClient.Configuration) -> Void = { _ in }) async throws {
            server = try await TestServer.start { [gate] request in
                if request.path == "/first" { try await gate.wait(timeout: .seconds(100)) }
                return .ok(request.path)
            }
            var configuration = HTTPClient.Configuration()
            configuration.pool.connectionsPerOrigin = 1
            configuration.timeouts.head = .unlimited
            configure(&configuration)
            client = HTTPClient(configuration: configuration, clock: clock)
            first = Task { [client, server] in _ = try await client.get(server.url("/first")).text() }
            try await server.wait { $0.requests == 1 }
        }

        func request(_ path: String, _ timeouts: Timeouts? = nil) -> Task<String, any Error> {
            Task { [client, server] in
                var options = OutgoingRequest.Options()
                options.timeouts = timeouts
                return try await client.get(server.url(path), options: options).text()
            }
        }

        func expectWaiting(_ count: Int) async {
            await eventually("\(count) waiting requests", within: .seconds(60)) {
                client.pool?.statistics.waiting == count
            }
        }
    }

    @Test("if a waiter is cancelled while a connection becomes free, the next waiter is still served")
    func servedAndCancelled() async throws {
        for _ in 0..<100 {
            let scene = try await Scene()
            let leaving = scene.request("/leaving")
            await scene.expectWaiting(1)
            let staying = scene.request("/staying")
            await scene.expectWaiting(2)
            async let opening: Void = scene.gate.fire()
            leaving.cancel()
            await opening
            #expect(try await staying.value == "/staying")
            switch await leaving.result {
            case .success(let text): #expect(text == "/leaving")
            case .failure(let error as SockeyeError): #expect(error.code == .cancelled)
            case .failure(let error): Issue.record("\(error)")
            }
            try await scene.first.value
            await scene.client.expectAtRest()
        }
    }

    @Test("if every third of four thousand waiters is cancelled, all others are served")
    func many() async throws {
        let scene = try await Scene { $0.timeouts.pool = .unlimited }
        let count = 4_000
        let tasks = (0..<count).map { scene.request("/\($0)") }
        await scene.expectWaiting(count)
        for (number, task) in tasks.enumerated() where number % 3 == 0 {
            task.cancel()
            // The other requests start while the queue is being served.
            if number == count / 2 { scene.gate.fire() }
        }
        scene.gate.fire()
        var cancelled = 0
        for (number, task) in tasks.enumerated() {
            switch await task.result {
            case .success(let text): #expect(text == "/\(number)")
            case .failure(let error as SockeyeError):
                #expect(number % 3 == 0 && error.code == .cancelled)
                cancelled += 1
            case .failure(let error): Issue.record("\(error)")
            }
        }
        #expect(cancelled > count / 7, "requests that were cancelled before the queue was served")
        try await scene.first.value
        await scene.client.expectAtRest()
        #expect(try await scene.request("/last").value == "/last")
    }

    private func timeouts(pool: Int, total: Int? = nil) -> Timeouts {
        var timeouts = Timeouts(total: total.map { .seconds($0) })
        timeouts.pool = .seconds(pool)
        return timeouts
    }

    @Test("each wait ends at its own deadline, in whatever order the waits began")
    func deadlines() async throws {
        let scene = try await Scene { $0.timeouts.pool = .unlimited }
        for round in 1...2 {
            let long = scene.request("/long", timeouts(pool: 30))
            await scene.expectWaiting(1)
            let patient = scene.request("/patient/\(round)")
            await scene.expectWaiting(2)
            let short = scene.request("/short", timeouts(pool: 10))
            await scene.expectWaiting(3)
            let total = scene.request("/total", timeouts(pool: 60, total: 20))
            await scene.expectWaiting(4)
            for (task, limit) in [(short, "timeouts.pool"), (total, "timeouts.total"), (long, "timeouts.pool")] {
                let waiting = scene.client.pool?.statistics.waiting ?? 0
                scene.clock.advance(by: .seconds(9))
                #expect(scene.client.pool?.statistics.waiting == waiting, "no deadline passed early")
                scene.clock.advance(by: .seconds(1))
                let error = await failure { _ = try await task.value }
                #expect(error?.code == .timeout)
                #expect(error?.phase == .pool)
                #expect(error?.limit?.name == limit)
            }
            await scene.expectWaiting(1)
            if round == 2 { scene.gate.fire() } else { patient.cancel() }
            let text = try? await patient.value
            #expect(text == (round == 2 ? "/patient/2" : nil))
        }
        await scene.client.expectAtRest()
    }
}
