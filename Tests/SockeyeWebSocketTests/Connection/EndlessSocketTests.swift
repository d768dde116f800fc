import Foundation
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeWebSocket
import Testing

/// Twice as many sockets as processors, with peers that never pause, beside an honest request. Each case runs in its
/// own process, where no other test keeps the cooperative pool busy.
@Suite("A WebSocket whose peer never pauses", .serialized, .timeLimit(.minutes(3)))
struct EndlessSocketTests {
    static let count = 2 * ProcessInfo.processInfo.activeProcessorCount

    static let uses: [(answer: EndlessAnswer, isSecure: Bool)] = [
        EndlessAnswer.emptyFrames, .longMessage, .smallMessages, .pings,
    ].flatMap { [($0, false), ($0, true)] }

    #if compiler(>=6.3)  // Exit tests take values since then (ST-0012).
    @Test(
        "endless peers do not delay the deadlines of other requests, and can be cancelled within a second",
        arguments: uses.indices)
    func endless(index: Int) async {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") {
            [child = child as ChildProcess, index = index as Int] in
            await child.run { try await Self.run(index) }
        }
    }
    #endif

    private static func run(_ index: Int) async throws {
        let (answer, isSecure) = uses[index]
        let authority = try TestCertificateAuthority()
        let tls = isSecure ? try TestTLS(authority) : nil
        var servers: [TestServer] = []
        for _ in 0..<count { servers.append(try await server(answer, tls)) }
        let client = HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots)))
        let streams = servers.map { server in
            EndlessStream { begun in try await Self.read(client, server, begun) }
        }
        let honest = try await TestServer.start { _ in .ok("ok") }
        var timeouts = Timeouts()
        timeouts.total = .seconds(3)
        let options = OutgoingRequest.Options.timeouts(timeouts)
        try await EndlessStream.demandOthersToRun(beside: streams) {
            let text = try await client.get(honest.url(), options: options).text()
            try demand(text == "ok", "ok, not \(text)")
        }
        for server in servers + [honest] { await server.stop() }
    }

    /// Starts a server on its own thread. It stops by itself if the client fails to stop it.
    private static func server(_ answer: EndlessAnswer, _ tls: TestTLS?) async throws -> TestServer {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(75)
        return try await RawPeer.start(tls: tls) { connection in
            try await connection.write(answer.start)
            while clock.now < end {
                try Task.checkCancellation()
                try await connection.write(answer.block)
                await Task.yield()
            }
        }
    }

    /// Reads whole messages. A long message is begun, and then skipped by requesting the next one.
    private static func read(_ client: HTTPClient, _ server: TestServer, _ begun: () -> Void) async throws {
        let limits = WebSocketConnection.Limits(messageBytes: .max, discardedBytes: .max)
        let options = WebSocketConnection.Options(limits: limits)
        try await client.webSocket(ExchangeTests.webSocketURL(server), options: .webSocket(options)) { socket in
            begun()
            _ = try await socket.receive()
            for try await _ in socket.messages {}
        }
    }
}
