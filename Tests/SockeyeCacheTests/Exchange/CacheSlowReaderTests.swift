import Sockeye
import SockeyeCache
import SockeyeCore
import SockeyeEngine
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Large and unread bodies shared by several calls", .timeLimit(.minutes(1))) struct CacheSlowReaderTests {
    private let gate = AsyncGate()
    private let mock = MockTransport()
    private let url = "https://a.test/x"

    /// Returns bytes that differ at each position.
    private static func content(_ count: Int, from start: Int = 0) -> [UInt8] {
        (start..<start + count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    }

    private static let pieceSize = 256 << 10
    private static let pieces = (0..<16).map { content(pieceSize, from: $0 * pieceSize) }

    /// Answers with 4 MiB; if `changes` is true, each time with another entity tag.
    private func answer(changes: Bool = false) {
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            let stream = AsyncStream { continuation in
                for piece in Self.pieces { continuation.yield(piece) }
                continuation.finish()
            }
            let tag = changes ? "\"\(mock.requests.count)\"" : "\"1\""
            return .stream(stream, headers: [.cacheControl: "max-age=60", .eTag: tag])
        }
    }

    /// Starts two equal calls with a stall deadline of 100 ms and returns when their head has arrived.
    private func start(_ policy: CachePolicy) async throws -> (slow: IncomingResponse, fast: IncomingResponse) {
        let client = HTTPClient(transport: mock, interceptors: [policy])
        let calls = (0..<2).map { _ in
            Task { try await client.get(url, options: .timeout(stall: .milliseconds(100))) }
        }
        await eventually("two callers") { policy.callersInFlight == 2 }
        gate.open()
        return (try await calls[0].value, try await calls[1].value)
    }

    /// Reads the first pieces of the slow response, then all of the fast one, then the rest of the slow one.
    private func read(
        _ responses: (slow: IncomingResponse, fast: IncomingResponse), first: Int
    ) async throws -> [UInt8] {
        var (slow, text) = (responses.slow.body.makeAsyncIterator(), [UInt8]())
        for _ in 0..<first { text += try await slow.next() ?? Bytes() }
        let fast = try await responses.fast.bytes(upTo: 64 << 20)
        #expect(Array(fast) == Self.pieces.flatMap(\.self))
        while let piece = try await slow.next() { text += piece }
        return text
    }

    @Test(
        "a call waits for an idle reader only up to its own stall deadline; the idle reader then reads alone",
        arguments: [0, 1, 3], [false, true])
    func slowReader(first: Int, isStored: Bool) async throws {
        answer()
        // A store that accepts the response serves the rest of it. Otherwise the rest is requested again.
        let policy = CachePolicy(CachePolicy.MemoryStore(limit: 64 << 20, entryLimit: isStored ? 8 << 20 : 1 << 20))
        let text = try await read(try await start(policy), first: first)
        #expect(text == Self.pieces.flatMap(\.self))
        #expect(mock.requests.count == (isStored ? 1 : 2))
    }

    @Test("every exchange of an evicted reader's call that is reported to begin is reported to end")
    func observedReader() async throws {
        let (monitor, options) = (RecordingMonitor(), OutgoingRequest.Options.timeout(stall: .seconds(1)))
        try await withTestServer { _ in
            await gate.pass()
            let stream = AsyncStream { continuation in
                for piece in Self.pieces { continuation.yield(piece) }
                continuation.finish()
            }
            return .stream(stream, headers: [.cacheControl: "max-age=60", .eTag: "\"1\""])
        } run: { server in
            let policy = CachePolicy(CachePolicy.MemoryStore(limit: 64 << 20, entryLimit: 1 << 20))
            let (client, url) = (HTTPClient().adding(.cache(policy)).monitored(by: monitor), server.url())
            // The first call owns the shared exchange.
            let slowCall = Task { try await client.get(url, options: options) }
            await eventually("the owner") { policy.callersInFlight == 1 }
            let fastCall = Task { try await client.get(url, options: options) }
            await eventually("two callers") { policy.callersInFlight == 2 }
            gate.open()
            let slow = try await slowCall.value
            var (fast, count) = (try await fastCall.value.body.makeAsyncIterator(), 0)
            // More than the shared buffer holds, so that the slow reader is evicted.
            while count < 3 << 20, let piece = try await fast.next() { count += piece.count }
            // The shared exchange is still running while the slow reader's own one begins and ends.
            let rest = try await slow.bytes(upTo: 64 << 20)
            while let piece = try await fast.next() { count += piece.count }
            #expect(rest.count == count && server.activity.requests == 2)
        }
        let events = monitor.events.values
        #expect(events.filter { $0.hasPrefix("exchange ") }.count == events.filter { $0.hasPrefix("end ") }.count)
    }

    @Test("a call that fell behind fails if the server has another version of the content")
    func changed() async throws {
        answer(changes: true)
        let responses = try await start(CachePolicy(CachePolicy.MemoryStore(limit: 64 << 20, entryLimit: 1 << 20)))
        let error = await #expect(throws: SockeyeError.self) { try await read(responses, first: 1) }
        #expect(error?.code == .timeout && error?.phase == .body && error?.blame == .caller)
    }

    @Test("24 equal concurrent calls for 2 MB of declared length send one request")
    func large() async throws {
        let content = Bytes(Self.content(2 << 20))
        try await withTestServer { _ in
            await gate.pass()
            return .bytes(content, contentType: "text/plain", headers: [.cacheControl: "max-age=60"])
        } run: { server in
            let policy = CachePolicy(CachePolicy.MemoryStore(limit: 64 << 20))
            let (client, url) = (HTTPClient().adding(.cache(policy)), server.url())
            let calls = (0..<24).map { _ in Task { try await client.get(url).bytes() } }
            await eventually("24 callers in flight") { policy.callersInFlight == 24 }
            gate.open()
            for call in calls {
                let received = try await call.value
                #expect(received == content)
            }
            #expect(server.activity.requests == 1)
        }
    }

    @Test("calls with different deadlines for a phase do not share an exchange")
    func deadlines() async throws {
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            return CacheFixture.answer("a")
        }
        let client = HTTPClient(transport: mock, interceptors: [CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20))])
        let options: [OutgoingRequest.Options] = [
            .init(), .timeout(total: .seconds(50)), .timeout(head: .seconds(50)), .timeout(stall: .seconds(50)),
        ]
        let calls = options.map { options in Task { try await client.get(url, options: options).text() } }
        await eventually("three requests") { mock.requests.count == 3 }
        gate.open()
        for call in calls { #expect(try await call.value == "a") }
        #expect(mock.requests.count == 3)
    }

    @Test("of several calls that share a response only one gets its cookies")
    func cookies() async throws {
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            return CacheFixture.answer("a", "max-age=60", [.setCookie: "session=1"])
        }
        let policy = CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20))
        let client = HTTPClient(transport: mock, interceptors: [policy])
        let calls = (0..<3).map { _ in Task { try await client.get(url) } }
        await eventually("three callers") { policy.callersInFlight == 3 }
        gate.open()
        var cookies: [String] = []
        for call in calls { cookies += try await call.value.headers[values: .setCookie] }
        #expect(cookies == ["session=1"] && mock.requests.count == 1)
        let hit = try await client.get(url)
        #expect(hit.cacheOutcome?.kind == .hit && hit.headers[.setCookie] == nil && hit["Set-Cookie"] == nil)
    }
}
