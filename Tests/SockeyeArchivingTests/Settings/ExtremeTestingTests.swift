import Sockeye
import SockeyeTesting
import Testing

@Suite("Extreme settings of test servers", .serialized, .timeLimit(.minutes(5)))
struct ExtremeTestingTests {
    private let brief = OutgoingRequest.Options.timeout(total: .milliseconds(100))

    @Test("A test server and a mock transport work with any number in their options")
    func servers() async throws {
        await SettingsTable(
            TestServerOptions(), .plain("answersExpectContinue"),
            .count("requestsPerConnection", \.requestsPerConnection), .plain("clock")
        ).useEach { options in
            let server = try await TestServer.start(options: options) { _ in .ok("a") }
            for _ in 0..<2 { #expect(try await HTTPClient.shared.get(server.url()).text() == "a") }
            await server.stop()
        }
        for duration in Extreme.durations {
            let client = SettingsUse.client(.ok("a").delayed(by: duration))
            try await expectEnd { _ = try await client.get("http://a.test/", options: brief).text() }
        }
        for limit in Extreme.counts {
            let client = HTTPClient(transport: MockTransport(bodyLimit: limit) { _ in .ok("a") })
            let text = try? await client.post("http://a.test/", .text("b")).text()
            #expect((text == "a") == (limit > 0))
        }
    }

    @Test("Certificates, revocation lists and OCSP responses can have any validity")
    func certificates() async throws {
        let authority = try TestCertificateAuthority()
        let subject = try authority.issue()
        await SettingsTable(
            TestCertificateOptions(), .plain("commonName"), .values("dnsNames", \.dnsNames, [[]]),
            .values("ipAddresses", \.ipAddresses, [[]]), .duration("validFrom", \.validFrom),
            .duration("validUntil", \.validUntil), .plain("purpose"), .plain("algorithm"), .plain("key"),
            .plain("digest"), .plain("issuerLocation"), .plain("mustStaple"), .plain("isAuthority")
        ).useEach { options in
            let pem = try authority.issue(options).pem
            #expect(!pem.isEmpty)
        }
        for duration in Extreme.durations {
            #expect(try !authority.revocationList(validFrom: duration, validUntil: duration).isEmpty)
            #expect(try !authority.ocspResponse(for: subject, validFrom: duration, validUntil: duration).isEmpty)
        }
    }

    @Test("A fault proxy accepts any position, size and duration")
    func relays() async throws {
        let server = try await SettingsUse.server()
        let relay = try FaultProxy(to: server)
        func use(_ faults: FaultProxy.Fault...) async throws {
            (relay.requests, relay.responses) = (faults, faults)
            try await expectEnd { _ = try await HTTPClient.shared.get(relay.url("/a"), options: brief).bytes() }
            relay.closeConnections()
        }
        for duration in Extreme.durations {
            try await use(.latency(duration, jitter: duration), .latency(duration))
            try await use(.slices(of: 1000, pause: duration), .slowClose(duration))
        }
        for count in Extreme.counts {
            try await use(.bandwidth(bytesPerSecond: count))
            try await use(.slices(of: count), .flip(at: count))
            try await use(.garbage(after: count, count: 1))
            try await use(.garbage(count: count))
            for end in [FaultProxy.Fault.cut(after: count), .reset(after: count), .silence(after: count)] {
                try await use(end)
            }
        }
        for share in Extreme.numbers { try await use(.cut(after: 0).inShare(share)) }
        await relay.stop()
        await server.stop()
    }
}
