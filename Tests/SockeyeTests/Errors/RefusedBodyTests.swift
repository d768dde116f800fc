import Sockeye
import SockeyeStreams
import SockeyeTesting
import Testing

@Suite("Bodies of refused responses", .timeLimit(.minutes(1))) struct RefusedBodyTests {
    enum Refusal: CaseIterable, Sendable {
        case redirect, eventStream, upgrade

        var head: String {
            switch self {
            case .redirect: "302 Found\r\nLocation: /a\r\nLocation: /b"
            case .eventStream: "200 OK\r\nContent-Type: text/html"
            case .upgrade: "200 OK"
            }
        }

        var code: SockeyeError.Code {
            switch self {
            case .redirect: .redirectRefused
            case .eventStream: .unacceptableContentType
            case .upgrade: .upgradeRefused
            }
        }
    }

    @Test("a server that does not finish the body delays the error by seconds only", arguments: Refusal.allCases)
    func unfinished(refusal: Refusal) async throws {
        let server = try await RawServer.start(script: [
            .readRequest, .send("HTTP/1.1 \(refusal.head)\r\nContent-Length: 9\r\n\r\na"), .hang,
        ])
        let clock = ManualClock()
        let client = HTTPClient(clock: clock)
        let options = OutgoingRequest.Options.timeout(connect: .unlimited, head: .unlimited, stall: .unlimited)
        let error = await #expect(throws: SockeyeError.self) {
            try await clock.advancing(by: .milliseconds(100)) {
                switch refusal {
                case .redirect: _ = try await client.get(server.url(), options: options)
                case .eventStream: for try await _ in client.events(server.url(), options: options) {}
                case .upgrade:
                    _ = try await client.upgrade(OutgoingRequest(url: server.url(), options: options), to: "x")
                }
            }
        }
        #expect(error?.code == refusal.code && error?.response?.body == Bytes("a"))
    }
}
