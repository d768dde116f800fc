import Sockeye
import SockeyeCache
import SockeyeCore
import SockeyeEngine
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Ends of requests that share an exchange", .timeLimit(.minutes(1))) struct CacheJoiningEndTests {
    private let policy = CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20))
    /// Opened when the server may send the head.
    private let head = AsyncGate()
    /// Opened when the server may send the rest of the content.
    private let rest = AsyncGate()

    /// Content in two pieces.
    private var pieces: AsyncStream<[UInt8]> {
        let (rest, numbers) = (rest, Numbers())
        return AsyncStream(unfolding: {
            switch numbers.next() {
            case 0: return Array("a".utf8)
            case 1:
                await rest.pass()
                return Array("b".utf8)
            default: return nil
            }
        })
    }

    private func waiting(_ count: Int) async {
        await eventually("\(count) callers") { policy.callersInFlight == count }
    }

    /// Reads the content and counts the arrival of its first piece in `first`.
    private func reading(_ client: HTTPClient, _ url: String, _ options: OutgoingRequest.Options, _ first: Numbers)
        -> Task<String, any Error>
    {
        Task {
            let response = try await client.get(url, options: options)
            var text = ""
            for try await piece in response.body {
                text += String(decoding: piece, as: UTF8.self)
                if text.utf8.count == 1 { _ = first.next() }
            }
            return text
        }
    }

    @Test(
        "cancelling one of two callers of an exchange ends only that caller, before or after the head",
        arguments: [0, 1], [false, true])
    func cancellation(index: Int, inBody: Bool) async throws {
        let mock = MockTransport()
        let client = HTTPClient(transport: mock, interceptors: [policy])
        mock.answer(.get, "/x") { _ in
            await head.pass()
            return .stream(pieces, headers: [.cacheControl: "max-age=60"])
        }
        let first = Numbers()
        var calls: [Task<String, any Error>] = []
        for count in 1...2 {
            calls.append(reading(client, "https://a.test/x", .init(), first))
            await waiting(count)
        }
        if inBody {
            head.open()
            await eventually("two readers") { first.count == 2 }
        }
        calls[index].cancel()
        let error = await #expect(throws: SockeyeError.self) { try await calls[index].value }
        #expect(error?.code == .cancelled)
        head.open()
        rest.open()
        #expect(try await calls[1 - index].value == "ab" && mock.requests.count == 1)
    }

    @Test("the exchange ends if all callers are cancelled while reading the content")
    func allCancelled() async throws {
        let mock = MockTransport()
        let client = HTTPClient(transport: mock, interceptors: [policy])
        let ended = AsyncGate()
        let stream = AsyncStream<[UInt8]> { continuation in
            continuation.yield(Array("a".utf8))
            continuation.onTermination = { _ in ended.open() }
        }
        mock.answer(.get, "/x") { _ in
            await head.pass()
            return .stream(stream, headers: [.cacheControl: "max-age=60"])
        }
        let first = Numbers()
        let calls = (0..<3).map { _ in reading(client, "https://a.test/x", .init(), first) }
        await waiting(3)
        head.open()
        await eventually("three readers") { first.count == 3 }
        for call in calls { call.cancel() }
        for call in calls { _ = await call.result }
        await ended.pass()
    }

    @Test(
        "the total deadline of the first caller ends only its own wait, before or after the head",
        arguments: [false, true])
    func deadline(inBody: Bool) async throws {
        try await withTestServer { _ in
            await head.pass()
            return .stream(pieces, headers: [.cacheControl: "max-age=60"])
        } run: { server in
            let clock = ManualClock()
            let client = HTTPClient(clock: clock).adding(.cache(policy))
            let (url, first) = (server.url().description, Numbers())
            let impatient = reading(client, url, .timeout(total: .seconds(2)), first)
            await waiting(1)
            let patient = reading(client, url, .timeout(total: .seconds(40)), first)
            await waiting(2)
            if inBody {
                head.open()
                await eventually("two readers") { first.count == 2 }
            }
            clock.advance(by: .seconds(2))
            let error = await #expect(throws: SockeyeError.self) { try await impatient.value }
            #expect(error?.code == .timeout)
            head.open()
            rest.open()
            let text = try await patient.value
            #expect(text == "ab" && server.activity.requests == 1)
        }
    }

    @Test("the total deadline of a single caller covers the content")
    func ownDeadline() async throws {
        head.open()
        try await withTestServer { _ in
            .stream(pieces, headers: [.cacheControl: "no-store"])
        } run: { server in
            let clock = ManualClock()
            let client = HTTPClient(clock: clock).adding(.cache(policy))
            // The server stops only after its handlers have returned.
            defer { rest.open() }
            let response = try await client.get(server.url(), options: .timeout(total: .seconds(1)))
            clock.advance(by: .seconds(1))
            let error = await #expect(throws: SockeyeError.self) { try await response.text() }
            #expect(error?.code == .timeout)
        }
    }

    @Test(
        "every caller of an exchange gets the Location as the server sent it, even if it is not UTF-8",
        arguments: [1, 2])
    func rawLocation(callers: Int) async throws {
        let fields = "Cache-Control: max-age=60\r\nSet-Cookie: a=1\r\nTransfer-Encoding: chunked\r\nLocation: /caf"
        let redirect = Array("HTTP/1.1 301 Moved\r\n\(fields)".utf8) + [0xE9] + Array("\r\n\r\n".utf8)
        let haveJoined = TestSignal()
        let server = try await RawServer.start(scripts: [
            [.readRequest, .waitUntil(haveJoined), .send(Bytes(redirect))],
            [.loop([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")])],
        ])
        let client = HTTPClient().adding(.cache(policy))
        let calls = (0..<callers).map { _ in
            Task { try await client.get(server.url(), options: .timeout(total: .seconds(40))) }
        }
        await waiting(callers)
        haveJoined.fire()
        for call in calls {
            let response = try await call.value
            #expect(try await response.text() == "ok" && response.url.path == "/caf%E9")
        }
    }

    @Test("the exchange made for a call is in the history of that call")
    func history() async throws {
        let mock = MockTransport()
        let client = HTTPClient(transport: mock, interceptors: [policy])
        mock.answer(.get, "/x") {
            let fields: Headers = [.cacheControl: "max-age=0", .eTag: "\"1\""]
            return $0[.ifNoneMatch] == nil ? .ok("a", headers: fields) : .status(304, headers: fields)
        }
        let options = OutgoingRequest.Options.timeout(total: .seconds(40))
        _ = try await client.get("https://a.test/x", options: options)
        let confirmed = try await client.get("https://a.test/x", options: options)
        #expect(try await confirmed.text() == "a" && confirmed.history.map(\.reason) == [.revalidated])
    }
}

/// A counter from 0 for concurrent tasks.
private final class Numbers: Sendable {
    private let state = Recorder<Void>()

    var count: Int { state.values.count }

    func next() -> Int {
        defer { state.append(()) }
        return state.values.count
    }
}
