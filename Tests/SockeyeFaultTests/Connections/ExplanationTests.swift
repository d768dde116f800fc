import Glibc
import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Testing

/// An error names the original cause and not its consequences.
@Suite("Explanations of connection errors", .serialized, .timeLimit(.minutes(1)))
struct ExplanationTests {
    @Test(
        "the error names the alert that explains the failure, not the write that failed",
        arguments: TLSOptions.Version.allCases, [0, 1 << 20])
    func missingClientCertificate(version: TLSOptions.Version, bodySize: Int) async throws {
        let authority = try Credentials.authority.get()
        var tls = try TestTLS(authority)
        tls.clientCertificates = .required(authority)
        tls.maximumVersion = version
        let server = try await TestServer.start(tls: tls) { _ in .ok("secret") }
        // The order of the failed write and the received alert is random.
        for _ in 0..<25 {
            let client = HTTPClient(configuration: try Credentials.configuration())
            let error = await failure { _ = try await client.post(server.url(), .bytes(Large.body(bodySize))) }
            #expect(error?.code == .tlsFailed && error?.blame == .peer, "\(String(describing: error))")
            let alert = version == .v1_3 ? "certificate_required (116)" : "handshake_failure (40)"
            #expect(error?.message.contains(alert) == true, "\(String(describing: error))")
        }
    }

    /// Delays a request that already has its connection, and lets it continue once the server has reset the connection.
    private struct Delay: EventMonitor {
        let isReset: TestSignal

        let kinds: ClientEvent.Kinds = .exchangeConnected

        func handle(_ event: ClientEvent) {
            let end = ContinuousClock.now + .seconds(20)
            while !isReset.isFired, ContinuousClock.now < end { usleep(1000) }
        }
    }

    @Test("the error names the alert although the first write fails because of a reset after the alert")
    func alertBeforeReset() async throws {
        let authority = try Credentials.authority.get()
        var serving = TLSServerContext.Configuration(identity: try authority.issue().identity)
        serving.clientCertificates = .required
        serving.clientRoots = .text(authority.pem)
        let context = try TLSServerContext(serving)
        let isReset = TestSignal()
        let server = try FaultServer { peer in
            _ = try? await TLSStream.accept(over: peer.socket, context: context, until: .distantFuture)
            peer.socket.reset()
            isReset.fire()
        }
        var configuration = try Credentials.configuration()
        configuration.monitors = [Delay(isReset: isReset)]
        let client = HTTPClient(configuration: configuration)
        let error = await failure { _ = try await client.get("https://\(server.address)/") }
        #expect(error?.code == .tlsFailed && error?.phase == .send, "\(String(describing: error))")
        #expect(error?.message.contains("certificate_required (116)") == true, "\(String(describing: error))")
    }

    @Test("the error says that a port expects TLS if an alert answers plain HTTP")
    func plainToTLS() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send(Bytes([21, 3, 1, 0, 2, 2, 70])), .close,
        ])
        let client = HTTPClient()
        let error = await failure { _ = try await client.get(server.url()) }
        #expect(error?.code == .malformedResponse && error?.blame == .peer, "\(String(describing: error))")
        #expect(error?.message.contains("protocol_version (70)") == true && error?.message.contains("https") == true)
        await server.stop()
    }

    @Test("the error says that port 443 usually expects TLS if no answer came", arguments: [443, 444])
    func plainToPortOfTLS(port: Int) async throws {
        let server = try await RawServer.start(on: .temporaryUnixSocket, script: [.readRequestHead, .close])
        let client = HTTPClient()
        var options = OutgoingRequest.Options()
        options.unixSocketPath = String(server.address.description.dropFirst("unix:".count))
        let error = await failure { _ = try await client.get("http://localhost:\(port)/", options: options) }
        #expect(error?.code == .connectionClosed && error?.phase == .head, "\(String(describing: error))")
        #expect(error?.message.contains("TLS") == (port == 443), "\(String(describing: error))")
        await server.stop()
    }
}
