import Sockeye
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import SockeyeWebSocket
import Synchronization
import Testing

@testable import SockeyeDNS
@testable import SockeyeDiagnostics

@Suite("Extreme settings of batches, monitors, WebSockets and name servers", .serialized, .timeLimit(.minutes(5)))
struct ExtremeClientTests {
    private let client = SettingsUse.client(.ok("a"))
    private let brief = OutgoingRequest.Options.timeout(total: .milliseconds(100))

    @Test("A network activity indicator works with any activation and completion delay")
    func activity() async throws {
        for activationDelay in Extreme.durations {
            for completionDelay in Extreme.durations {
                let activity = NetworkActivity(activationDelay: activationDelay, completionDelay: completionDelay)
                #expect(try await client.monitored(by: activity).get("http://a.test/").text() == "a")
                activity.increment()
                if activationDelay <= .zero { #expect(activity.isActive) }
                if activationDelay > .seconds(60) { #expect(activity.state == .delayingStart) }
                #expect(activity.count >= 1)
                activity.decrement()
            }
        }
    }

    @Test("An offline policy accepts any limit on the wait for the network")
    func offline() async {
        await SettingsTable(
            OfflinePolicy(NetworkReachability(reporting: .notReachable)), .plain("reachability"),
            .duration("limit", \.limit)
        ).useEach { policy in
            let text = try await client.adding(policy).get("http://a.test/", options: brief).text()
            #expect(text == "a")
        }
    }

    @Test("Requests are sent in batches of any width, with any compression and any packet size")
    func requests() async throws {
        SettingsTable(
            ParameterSerializer.Options(), .plain("queryStyle"), .plain("placement"), .plain("headers"),
            .plain("requestOptions")
        ).expectComplete()
        await SettingsTable(
            OutgoingRequest.Compression(.gzip), .plain("coding"), .count("level", \.level),
            .count("minimumLength", \.minimumLength)
        ).useEach { compression in
            let response = try await client.post("http://a.test/", .text("b"), options: .compressing(compression))
            #expect(try await response.text() == "a")
        }
        for count in Extreme.counts {
            let batch = try client.batch(["http://a.test/1", "http://a.test/2"], atMost: count, as: .text)
            #expect(try await batch.values() == ["a", "a"])
            let body = ("ab" as OutgoingRequest.Body).throttled(packetSize: count, delay: .zero)
            let request = try OutgoingRequest(method: .post, url: "http://a.test/", body: body)
            #expect(try await client.send(request).text() == "a")
        }
    }

    private func webSocketURL(_ server: TestServer) -> String { "ws" + server.url("/").dropFirst(4) }

    @Test("A WebSocket works with any number in its options or ends with an error of the library")
    func webSockets() async throws {
        let server = try await TestServer.start { _, responder in
            let options = WebSocketConnection.Options(compression: WebSocketConnection.Compression())
            try await responder.webSocket(options: options) { socket in
                for try await message in socket.messages { try await socket.send(message) }
            }
        }
        func exchange(_ options: WebSocketConnection.Options) async throws {
            do {
                try await HTTPClient.shared.webSocket(webSocketURL(server), options: .webSocket(options)) { socket in
                    try await socket.send("a message")
                    var messages = socket.messages.makeAsyncIterator()
                    _ = try await messages.next()
                }
            } catch let error as WebSocketError {
                #expect(!"\(error)".isEmpty)
            }
        }
        await SettingsTable(
            WebSocketConnection.Options(), .values("subprotocols", \.subprotocols, [[]]), .plain("compression"),
            .plain("limits"), .plain("keepAlive"), .duration("closeTimeout", \.closeTimeout),
            .count("fragmentSize", \.fragmentSize)
        ).useEach { options in try await exchange(options) }
        await SettingsTable(
            WebSocketConnection.Limits(), .count("frameBytes", \.frameBytes), .count("messageBytes", \.messageBytes),
            .count("streamedBytes", \.streamedBytes), .count("discardedBytes", \.discardedBytes)
        ).useEach { limits in try await exchange(.init(limits: limits)) }
        await SettingsTable(
            WebSocketConnection.KeepAlive(), .duration("interval", \.interval), .duration("timeout", \.timeout)
        ).useEach { keepAlive in try await exchange(.init(keepAlive: keepAlive)) }
        await SettingsTable(
            WebSocketConnection.Compression(), .count("minimumSize", \.minimumSize), .count("level", \.level),
            .plain("keepsOwnContext"), .plain("keepsPeerContext"), .count("ownWindowBits", \.ownWindowBits),
            .count("peerWindowBits", \.peerWindowBits)
        ).useEach { compression in try await exchange(.init(compression: compression)) }
        await server.stop()
    }

    @Test("A WebSocket reconnects with any number of attempts above zero")
    func reconnecting() async throws {
        let connectionCount = Atomic(0)
        // The first of two connections is lost.
        let server = try await TestServer.start { _, responder in
            let isFirst = connectionCount.wrappingAdd(1, ordering: .relaxed).oldValue == 0
            try await responder.webSocket { socket in
                if isFirst { try await socket.close(.goingAway) }
            }
        }
        await SettingsTable(
            WebSocketConnection.Reconnecting(backoff: .none), .count("attempts", \.attempts), .plain("backoff"),
            .duration("settledAfter", \.settledAfter), .plain("random")
        ).useEach { reconnecting in
            connectionCount.store(0, ordering: .relaxed)
            do {
                try await HTTPClient.shared.webSocket(webSocketURL(server), reconnecting: reconnecting) { socket in
                    for try await _ in socket.messages {}
                }
                let count = connectionCount.load(ordering: .relaxed)
                #expect(reconnecting.attempts > 0 && count == 2)
            } catch let error as WebSocketError {
                #expect(reconnecting.attempts <= 0 && error.code == .closed)
            }
        }
        await server.stop()
    }

    #if AsyncDNS
    @Test("Name servers are asked with any timeout and in any number of rounds")
    func resolver() async throws {
        let server = try TestNameServer { [.send($0.reply(["127.0.0.1"]))] }
        let address = try #require(EndpointAddress(literal: "127.0.0.1", port: server.port))
        // The kernel refuses to send to this address, because the socket does not enable broadcasts (ip(7)).
        let refused = try #require(EndpointAddress(literal: "255.255.255.255", port: 53))
        for attempts in Extreme.counts {
            let resolver = DNSResolver(
                servers: [address], searchDomains: [], timeout: .seconds(20), attempts: attempts)
            #expect(try await resolver.resolve("a.test", port: 80).count == 1)
            let unreachable = DNSResolver(servers: [refused], searchDomains: [], attempts: attempts)
            await #expect(throws: (any Error).self) { try await unreachable.resolve("a.test", port: 80) }
        }
        let second = DNSResolver(servers: [refused, address], searchDomains: [], attempts: .max)
        #expect(try await second.resolve("a.test", port: 80).count == 1)
        for timeout in Extreme.durations {
            // The timeout doubles in each round, so the last ones are long enough on a busy machine.
            let resolver = DNSResolver(servers: [address], searchDomains: [], timeout: timeout, attempts: 14)
            #expect(try await resolver.resolve("a.test", port: 80).count == 1)
        }
    }
    #endif
}
