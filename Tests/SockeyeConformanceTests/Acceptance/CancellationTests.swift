import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Each test cancels a call in a different phase.
@Suite("time-07: cancel before start, during DNS, connect, TLS, upload, waiting for the head, body")
struct CancellationTests {
    private let client = HTTPClient()

    /// Starts `body` in a task, cancels it once `waitUntilReady` returns, and expects it to end at once as cancelled.
    private func cancel<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value, once waitUntilReady: () async throws -> Void
    ) async throws {
        let task = Task { try await body() }
        try await waitUntilReady()
        let clock = ContinuousClock()
        let start = clock.now
        task.cancel()
        let error = await failure { try await task.value } as? SockeyeError
        #expect(error?.code == .cancelled)
        #expect(start.duration(to: clock.now) < .seconds(5))
    }

    @Test("time-07: cancel before start", .timeLimit(.minutes(1)))
    func beforeStart() async throws {
        let server = try await RawServer.start(script: [.hang])
        let client = client
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await client.get(server.url())
        }
        #expect((await failure { try await task.value } as? SockeyeError)?.code == .cancelled)
        #expect(server.receivedText().isEmpty)
    }

    @Test("time-07: cancel during DNS", .timeLimit(.minutes(1)))
    func resolving() async throws {
        struct Endless: NameResolver {
            let asked: TestSignal
            func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
                asked.fire()
                try await TestSignal().wait()
                return []
            }
        }
        let asked = TestSignal()
        var configuration = HTTPClient.Configuration()
        configuration.resolver = Endless(asked: asked)
        let client = HTTPClient(configuration: configuration)
        try await cancel {
            try await client.get("http://unknown.test/")
        } once: {
            try await asked.wait()
        }
        await client.shutDown(graceful: false)
    }

    @Test("time-07: cancel during connect", .timeLimit(.minutes(1)))
    func connecting() async throws {
        let blackhole = try await BlackholeServer.start()
        let client = client
        try await cancel {
            try await client.get(blackhole.url())
        } once: {
            await eventually("a dial") { client.pool?.statistics.dialling == 1 }
        }
    }

    @Test("time-07: cancel during TLS", .timeLimit(.minutes(1)))
    func handshaking() async throws {
        let heard = TestSignal()
        let server = try await RawServer.start(script: [.readBytes(1), .fire(heard), .readToEnd])
        var timeouts = Timeouts()
        timeouts.tls = .seconds(1)
        let client = HTTPClient(configuration: .init(timeouts: timeouts))
        let url = "https://127.0.0.1:\(server.port)/"
        try await cancel {
            try await client.get(url)
        } once: {
            try await heard.wait()
        }
        // A dial outlives the request that started it and may serve the next one. Its own deadline ends it.
        try await server.wait { $0.openConnections == 0 }
    }

    @Test("time-07: cancel during upload", .timeLimit(.minutes(1)))
    func uploading() async throws {
        let heard = TestSignal()
        let server = try await RawServer.start(script: [.readRequestHead, .fire(heard), .hang])
        let client = client
        try await cancel {
            try await client.post(server.url(), .stream(Endless()))
        } once: {
            try await heard.wait()
        }
        await eventually("the connection is returned") { client.pool?.statistics.leased == 0 }
    }

    private struct Endless: AsyncSequence, AsyncIteratorProtocol, Sendable {
        func makeAsyncIterator() -> Endless { self }
        mutating func next() async -> Bytes? { TestPattern.bytes(at: 0, upTo: 64 << 10) }
    }

    @Test("time-07: cancel waiting for the head", .timeLimit(.minutes(1)))
    func waiting() async throws {
        try await withTestServer { _ in
            .never
        } run: { server in
            let client = client
            try await cancel {
                try await client.get(server.url())
            } once: {
                try await server.wait { $0.requests == 1 }
            }
            // The request was sent, so the connection cannot be reused.
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test("time-07: cancel in the body", .timeLimit(.minutes(1)))
    func reading() async throws {
        let begun = TestSignal()
        let server = try await RawServer.start(script: [
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome"), .readToEnd,
        ])
        let client = client
        try await cancel {
            for try await _ in try await client.get(server.url()).body { begun.fire() }
        } once: {
            try await begun.wait()
        }
        try await server.wait { $0.openConnections == 0 }
    }
}
