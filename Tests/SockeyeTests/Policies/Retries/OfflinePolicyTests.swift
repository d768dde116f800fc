import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Waiting for the network", .timeLimit(.minutes(1)))
struct OfflinePolicyTests {
    private static let unreachable = SockeyeError.failure(.connectFailed, in: .connect)

    private let reachability = NetworkReachability(reporting: .notReachable)
    private let clock = ManualClock()

    private func client(_ mock: MockTransport, atMost limit: Duration = .seconds(60)) throws -> HTTPClient {
        let poller = try EventPoller(time: clock.timeSource)
        return HTTPClient(
            transport: mock, interceptors: [.waitingForNetwork(reachability, atMost: limit)],
            clock: CallClock(time: clock.timeSource) { poller })
    }

    private func waiting() async {
        await eventually("a request waits") { reachability.readerCount == 1 }
    }

    @Test(
        "a request waits for a route before it is sent",
        arguments: [.unknown, .reachable(.other)] as [NetworkReachability.Status])
    func before(status: NetworkReachability.Status) async throws {
        let mock = MockTransport { _ in .status(200) }
        let client = try client(mock)
        let call = Task { try await client.get("http://example.com/") }
        await waiting()
        #expect(mock.requests.isEmpty)
        reachability.report(status)
        #expect(try await call.value.status == .ok)
        #expect(mock.requests.count == 1)
    }

    @Test("requests to this machine do not wait for a route")
    func loopback() async throws {
        let client = try client(MockTransport { _ in .status(200) })
        var socket = OutgoingRequest.Options()
        socket.unixSocketPath = "/run/x.sock"
        for (url, options) in [("http://localhost/", OutgoingRequest.Options()), ("http://example.com/", socket)] {
            #expect(try await client.get(url, options: options).status == .ok)
        }
    }

    @Test("a request that fails for lack of a route is sent again when there is a route")
    func again() async throws {
        let reachability = reachability
        reachability.report(.reachable(.ethernet))
        let mock = MockTransport()
        mock.answer(nil, "/*") { [mock = mock] _ in
            guard mock.requests.count == 1 else { return .status(200) }
            reachability.report(.notReachable)
            throw Self.unreachable
        }
        let client = try client(mock)
        let call = Task { try await client.put("http://example.com/a", .text("x")) }
        await waiting()
        reachability.report(.reachable(.wifi))
        let response = try await call.value
        #expect(mock.requests.count == 2)
        #expect(response.history.map(\.reason) == [.retried])
    }

    @Test("if there is no route within the limit, the request is sent, and its error is thrown")
    func late() async throws {
        let mock = MockTransport { _ in throw Self.unreachable }
        let client = try client(mock, atMost: .seconds(5))
        let error = await #expect(throws: SockeyeError.self) {
            try await clock.advancing(by: .seconds(1)) { try await client.get("http://example.com/") }
        }
        #expect(error?.code == .connectFailed)
        #expect(mock.requests.count == 1)
    }

    @Test("a route that returns before the total deadline ends the wait, even if the limit exceeds the deadline")
    func beforeDeadline() async throws {
        let mock = MockTransport { _ in .status(200) }
        let client = try client(mock, atMost: .seconds(60))
        let call = Task { try await client.get("http://example.com/", options: .timeout(total: .seconds(1))) }
        await waiting()
        clock.advance(by: .milliseconds(500))
        reachability.report(.reachable(.wifi))
        #expect(try await call.value.status == .ok)
        #expect(mock.requests.count == 1)
    }

    @Test("the total deadline ends the wait with its own error, and cancellation ends it at once")
    func deadlines() async throws {
        let mock = MockTransport { _ in .status(200) }
        let client = try client(mock)
        let timed = await #expect(throws: SockeyeError.self) {
            try await clock.advancing(by: .milliseconds(100)) {
                try await client.get("http://example.com/", options: .timeout(total: .seconds(1)))
            }
        }
        #expect(timed?.code == .timeout)
        let call = Task { try await client.get("http://example.com/") }
        await waiting()
        call.cancel()
        let error = await #expect(throws: SockeyeError.self) { try await call.value }
        #expect(error?.code == .cancelled)
        #expect(mock.requests.isEmpty)
    }

    @Test(
        "with the lowest limit a request is sent at once, and with the highest as soon as there is a route",
        arguments: [Duration(attoseconds: .min), Duration(attoseconds: .max)])
    func extremeLimit(limit: Duration) async throws {
        let mock = MockTransport { _ in .status(200) }
        let client = HTTPClient(transport: mock).adding(.waitingForNetwork(reachability, atMost: limit))
        let call = Task { try await client.get("http://example.com/") }
        if limit > .zero { await waiting() }
        if limit > .zero { reachability.report(.reachable(.wifi)) }
        #expect(try await call.value.status == .ok && mock.requests.count == 1)
    }

    @Test("a request that may have reached a server, or failed despite a route, is not sent again")
    func others() async throws {
        for (code, phase, status) in [
            (.connectionClosed, .head, .notReachable), (.connectFailed, .connect, .reachable(.ethernet)),
        ] as [(SockeyeError.Code, SockeyeError.Phase, NetworkReachability.Status)] {
            let reachability = NetworkReachability(reporting: .unknown)
            let mock = MockTransport { _ in
                reachability.report(status)
                throw SockeyeError.failure(code, in: phase)
            }
            let client = HTTPClient(transport: mock).adding(.waitingForNetwork(reachability))
            let error = await #expect(throws: SockeyeError.self) { try await client.get("http://example.com/") }
            #expect(error?.code == code)
            #expect(mock.requests.count == 1)
        }
    }
}
