import Sockeye
import SockeyeCore
import SockeyeTesting
import SockeyeTransport
import Testing

@Suite("A cancelled request", .serialized, .timeLimit(.minutes(1)))
struct CancellationTests {
    /// Where a request is when it is cancelled.
    enum Point: String, CaseIterable, Sendable {
        case pool, resolve, connect, tls, send, ignorantProducer, head, body, endlessBody

        var phase: SockeyeError.Phase {
            switch self {
            case .pool: .pool
            case .resolve: .resolve
            case .connect: .connect
            case .tls: .tls
            case .send, .ignorantProducer: .send
            case .head: .head
            case .body, .endlessBody: .body
            }
        }
    }

    /// Yields once and then nothing, whether cancelled or not.
    private struct Ignorant: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let end: TestSignal
        var isFirst = true

        func makeAsyncIterator() -> Ignorant { self }
        mutating func next() async throws -> [UInt8]? {
            if isFirst {
                isFirst = false
                return [1]
            }
            await Task { [end] in try? await end.wait(timeout: .seconds(60)) }.value
            return nil
        }
    }

    @Test("ends promptly, frees its place and closes its connection", arguments: Point.allCases)
    func atPoint(_ point: Point) async throws {
        let hole = point == .connect ? try await BlackholeServer.start() : nil
        let reached = TestSignal()
        let producerEnd = TestSignal()
        let server = try FaultServer { peer in
            if point == .tls || point == .send {
                // One byte read, so that it is known to have come so far; no more, so that the client gets stuck.
                _ = try await peer.connection.read(upTo: 1)
                reached.fire()
                return try await TestSignal().wait()
            }
            _ = try await peer.connection.read(through: "\r\n\r\n")
            if point == .body || point == .pool {
                try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nsome")
            }
            if point == .endlessBody {
                try await peer.connection.write("HTTP/1.1 200 OK\r\n\r\n")
                reached.fire()
                while true { try await peer.connection.write(TestPattern.bytes(at: 0, upTo: 1 << 18)) }
            }
            reached.fire()
            try await peer.connection.discardToEnd()
        }
        var configuration = try Credentials.configuration()
        let resolver = SilentResolver()
        configuration.resolver = resolver
        configuration.pool.connectionsPerOrigin = 1
        configuration.timeouts.connect = .seconds(2)
        configuration.timeouts.tls = .seconds(2)
        configuration.timeouts.resolve = .seconds(2)
        let client = HTTPClient(configuration: configuration)
        let url =
            switch point {
            case .resolve: "http://name.example/"
            case .connect: hole?.url() ?? ""
            case .tls: "https://\(server.address)/"
            default: server.url()
            }
        var holder = point == .pool ? try await client.get(url) : nil
        let begun = TestSignal()
        let task = Task {
            await failure {
                switch point {
                case .send: _ = try await client.post(url, body: .bytes(Large.body))
                case .ignorantProducer: _ = try await client.post(url, body: .stream(Ignorant(end: producerEnd)))
                default:
                    let response = try await client.get(url)
                    begun.fire()
                    for try await _ in response.body {}
                }
            }
        }
        switch point {
        case .pool: await eventually("a waiter") { await client.poolStatistics()?.waiting == 1 }
        case .resolve: try await resolver.asked.wait()
        case .connect: await eventually("a dial") { await client.poolStatistics()?.dialling == 1 }
        case .body, .endlessBody: try await begun.wait()
        default: try await reached.wait()
        }
        let clock = ContinuousClock()
        let start = clock.now
        task.cancel()
        let error = await task.value
        #expect(clock.now - start < .seconds(5), "prompt; a generous bound for a loaded machine")
        #expect(error?.code == .cancelled, "\(String(describing: error))")
        if point == .connect {
            #expect([.resolve, .connect].contains(error?.phase))
        } else {
            #expect(error?.phase == point.phase, "\(String(describing: error))")
        }
        #expect(error?.blame == .caller)
        holder = nil
        withExtendedLifetime(holder) {}
        await client.expectAtRest()
        if point != .connect, point != .resolve, point != .tls, point != .send {
            await eventually("a closed connection") { server.open == 0 }
        }
        producerEnd.fire()
    }

    @Test("that was cancelled before it began sends nothing, and leaves an idle connection as it was")
    func beforeStart() async throws {
        let server = try await TestServer.start { _ in .ok("ok") }
        let client = HTTPClient()
        for round in 0..<2 {
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return await failure { _ = try await client.post(server.url(), body: "x") }
            }
            task.cancel()
            let error = await task.value
            #expect(error?.code == .cancelled)
            #expect(server.activity.requests == round)
            #expect(try await client.get(server.url()).text() == "ok")
        }
        #expect(server.activity.connections == 1)
    }

    @Test("does not disturb the others, wherever chance finds it")
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
        await client.closeIdleConnections()
        try await server.wait { $0.openConnections == 0 }
    }

    /// Whether the request was to be left alone and was.
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
