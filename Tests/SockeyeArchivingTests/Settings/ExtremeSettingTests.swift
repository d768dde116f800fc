import Foundation
import Sockeye
import SockeyeArchiving
import SockeyeCore
import SockeyeDiagnostics
import SockeyeStreams
import SockeyeTesting
import SockeyeTransfers
import Testing

@testable import SockeyeEngine

/// Uses of a client that exercise its settings.
enum SettingsUse {
    static let answer = Data((0..<200).map { "{\"number\": \($0)}\n" }.joined().utf8)

    static func server() async throws -> TestServer {
        try await TestServer.start { request in
            request.path == "/events"
                ? .ok("data: a\n\n", headers: ["Content-Type": "text/event-stream"])
                : .ok(String(decoding: answer, as: UTF8.self))
        }
    }

    /// Returns a client that gets the same answer to every request.
    static func client(_ answer: TestServerResponse) -> HTTPClient {
        HTTPClient(transport: MockTransport { _ in answer })
    }

    /// Sends two requests and an upload, and shuts the client down.
    static func request(_ configuration: ClientConfiguration, _ server: TestServer) async throws {
        let client = HTTPClient(configuration: configuration)
        do {
            for _ in 0..<2 { _ = try await client.get(server.url("/a")).bytes() }
            _ = try await client.post(server.url("/b"), .text("content")).text()
        } catch {
            await client.shutDown(graceful: false)
            throw error
        }
        await client.shutDown()
    }
}

@Suite("Extreme settings of clients and requests", .serialized, .timeLimit(.minutes(5)))
struct ExtremeSettingTests {
    @Test("Calls with deadlines of any length succeed or throw an error of the library")
    func timeouts() async throws {
        let server = try await SettingsUse.server()
        let table = SettingsTable(
            Timeouts(), .duration("pool", \.pool), .duration("resolve", \.resolve), .duration("connect", \.connect),
            .duration("tls", \.tls), .duration("head", \.head), .duration("stall", \.stall),
            .duration("total", \.total))
        await table.useEach { timeouts in
            var configuration = ClientConfiguration()
            configuration.timeouts = timeouts
            try await SettingsUse.request(configuration, server)
        }
        await table.useEach { timeouts in
            _ = try await HTTPClient.shared.get(server.url(), options: .timeouts(timeouts)).bytes()
        }
        await server.stop()
    }

    @Test("Limits, pools and sockets work with any number or throw an error of the library")
    func engine() async throws {
        let server = try await SettingsUse.server()
        await SettingsTable(
            ResponseLimits(), .count("headBytes", \.headBytes), .count("fieldCount", \.fieldCount),
            .count("interimBytes", \.interimBytes), .count("bodyBytes", \.bodyBytes),
            .count("decodedBytes", \.decodedBytes), .count("decodedRatio", \.decodedRatio),
            .count("decodedRatioFloor", \.decodedRatioFloor)
        ).useEach { limits in
            try await SettingsUse.request(ClientConfiguration(limits: limits), server)
        }
        await SettingsTable(
            PoolOptions(), .count("connectionsPerOrigin", \.connectionsPerOrigin),
            .count("connections", \.connections), .count("waiters", \.waiters), .duration("idleTimeout", \.idleTimeout),
            .duration("maximumAge", \.maximumAge), .count("maximumUses", \.maximumUses)
        ).useEach { pool in
            try await SettingsUse.request(ClientConfiguration(pool: pool), server)
        }
        await SettingsTable(
            SocketOptions(), .plain("noDelay"), .plain("keepAlive"), .duration("userTimeout", \.userTimeout),
            .values("localAddresses", \.localAddresses, [[]]), .values("interface", \.interface, ["", "\0"]),
            .plain("proxyProtocol"), .plain("fastOpen"), .plain("multipath"),
            .count("sendBufferSize", \.sendBufferSize), .count("receiveBufferSize", \.receiveBufferSize)
        ).useEach { socket in
            var configuration = ClientConfiguration()
            configuration.socket = socket
            try await SettingsUse.request(configuration, server)
        }
        await SettingsTable(
            SocketOptions.KeepAlive(), .duration("idle", \.idle), .duration("interval", \.interval),
            .count("count", \.count)
        ).useEach { keepAlive in
            var configuration = ClientConfiguration()
            configuration.socket.keepAlive = keepAlive
            // The kernel accepts all these values, because the client clamps them.
            do { try await SettingsUse.request(configuration, server) } catch { Issue.record("\(error)") }
        }
        await server.stop()
    }

    @Test("A client accepts any number for its own settings")
    func client() async throws {
        let server = try await SettingsUse.server()
        SettingsTable(
            ClientConfiguration(), .plain("engine"), .plain("interceptors"), .plain("monitors"), .plain("runningTasks")
        ).expectComplete()
        await SettingsTable(
            EngineConfiguration(), .plain("tls"), .values("tlsOverrides", \.tlsOverrides, [[:]]), .plain("timeouts"),
            .plain("limits"), .values("tolerances", \.tolerances, [[], ResponseTolerances(rawValue: .max)]),
            .plain("pool"), .plain("socket"), .plain("decompresses"), .values("userAgent", \.userAgent, [nil, ""]),
            .values("hostOverrides", \.hostOverrides, [[:], ["": []]]), .plain("resolver"),
            .duration("resolverCacheLifetime", \.resolverCacheLifetime), .plain("addressOrder"),
            .plain("addressPolicy"), .plain("proxy"), .plain("allowsPlaintextCredentials"),
            .values("pollerThreads", \.pollerThreads, [.min, -1, 0, 1, .max])
        ).useEach { engine in
            var configuration = ClientConfiguration()
            configuration.engine = engine
            try await SettingsUse.request(configuration, server)
        }
        for limit in Extreme.counts {
            var configuration = ClientConfiguration()
            configuration.runningTasks = limit
            let client = HTTPClient(configuration: configuration)
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
            _ = try await client.download(server.url("/a"), to: .file(folder)).value
            try? FileManager.default.removeItem(atPath: folder)
        }
        for duration in Extreme.durations {
            let client = HTTPClient()
            _ = try await client.get(server.url()).bytes()
            await client.shutDown(within: duration)
        }
        await server.stop()
    }

    @Test("A call with any number in an option succeeds or throws an error of the library")
    func options() async throws {
        let server = try await SettingsUse.server()
        let client = HTTPClient()
        for count in Extreme.counts {
            try await expectEnd { _ = try await client.get(server.url(), options: .limit(body: count)).bytes() }
            try await expectEnd { _ = try await client.get(server.url()).bytes(upTo: count) }
            try await expectEnd { for try await _ in try await client.get(server.url()).body.lines(limit: count) {} }
            try await expectEnd {
                var compression = OutgoingRequest.Compression(.gzip, level: count, minimumLength: count)
                _ = try await client.post(server.url(), .text("a"), options: .compressing(compression)).bytes()
                compression.level = count
                _ = try await client.post(server.url(), .text("a"), options: .compressing(compression)).bytes()
            }
            try await expectEnd { _ = try await client.curlCommand(.post, server.url(), .text("a"), inlining: count) }
            try await expectEnd {
                let body = OutgoingRequest.Body.stream(AsyncStream<[UInt8]> { $0.finish() }, length: count)
                _ = try await client.send(OutgoingRequest(method: .post, url: server.url(), body: body)).bytes()
            }
        }
        for duration in Extreme.durations {
            var options = OutgoingRequest.Options()
            options.expectContinue = duration
            options.timeouts = Timeouts(total: .seconds(5))
            try await expectEnd { _ = try await client.post(server.url(), .text("a"), options: options).bytes() }
            try await expectEnd {
                let body = ("ab" as OutgoingRequest.Body).throttled(packetSize: 1, delay: duration)
                let request = try OutgoingRequest(
                    method: .post, url: server.url(), body: body, options: .timeout(total: .milliseconds(100)))
                _ = try await client.send(request).bytes()
            }
        }
        for rate in Extreme.counts {
            try await expectEnd {
                let body = ("a" as OutgoingRequest.Body).throttled(bytesPerSecond: rate)
                _ = try await client.send(OutgoingRequest(method: .post, url: server.url(), body: body)).bytes()
            }
        }
        await server.stop()
    }

    @Test("Sets of status codes hold any number")
    func statusCodes() {
        for code in Extreme.counts {
            let set = StatusCodeSet(.min ... .max).union(StatusCodeSet(code...code))
            #expect(set.contains(code) && !set.description.isEmpty)
        }
        let union = Extreme.counts.reduce(StatusCodeSet(0...0)) { $0.union(StatusCodeSet($1...$1)) }
        #expect(Extreme.counts.allSatisfy { union.contains($0) })
    }
}

/// Expects success or an error of the library.
func expectEnd(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async throws {
    do {
        try await body()
    } catch let error as SockeyeError {
        #expect(!"\(error)".isEmpty, sourceLocation: sourceLocation)
    }
}
