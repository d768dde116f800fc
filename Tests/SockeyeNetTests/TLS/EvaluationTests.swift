import Foundation
import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Synchronization
import Testing

@Suite("A client's own evaluation of TLS servers", .timeLimit(.minutes(1)))
struct EvaluationTests {
    private final class Seen: Sendable {
        let trusts = Mutex<[TLSTrust]>([])
        var count: Int { trusts.withLock(\.count) }
        var last: TLSTrust? { trusts.withLock(\.last) }
    }

    private func client(
        _ decision: TLSTrust.Decision, _ seen: Seen = Seen(), version: TLSOptions.Version = .v1_3,
        _ change: (inout TLSOptions) -> Void = { _ in }
    ) -> TLSOptions {
        Authority.trusting {
            $0.maximumVersion = version
            change(&$0)
            $0.evaluate = { trust in
                await Task.yield()
                seen.trusts.withLock { $0.append(trust) }
                return decision
            }
        }
    }

    @Test(
        "an evaluation sees the sent certificates, the result of the verification, and the host",
        arguments: TLSOptions.Version.allCases)
    func sees(version: TLSOptions.Version) async throws {
        let certificate = try Authority.root.intermediate().issue()
        let seen = Seen()
        let pair = try HandshakePair(client(.standard, seen, version: version), Authority.serving(certificate))
        let trust = try #require(try await pair.connect().client.info?.trust)
        for trust in [try #require(seen.last), trust] {
            #expect(trust.host == "localhost" && trust.failure == nil && trust.chainCode == 0)
            #expect(trust.certificates.map(\.der) == [certificate.der] + certificate.intermediates)
            #expect(
                trust.chain.map(\.der) == [certificate.der] + certificate.intermediates + [
                    Authority.root.certificate.der
                ])
            #expect(trust.pinsMatched == nil && !trust.isOverridden)
        }
        let leaf = try #require(seen.last?.certificates.first)
        #expect(leaf.subject == "CN=localhost" && leaf.issuer == "CN=Sockeye test intermediate")
        #expect(leaf.dnsNames == ["localhost"] && leaf.ipAddresses == ["127.0.0.1", "::1"])
        #expect(leaf.publicKeyPin == certificate.publicKeyPin && leaf.pem == certificate.pem && !leaf.isAuthority)
        #expect(try #require(leaf.validFrom) < .now && #require(leaf.validUntil) > .now)
    }

    @Test(
        "an evaluation can accept a server that the rules refuse, for this connection",
        arguments: TLSOptions.Version.allCases)
    func accepts(version: TLSOptions.Version) async throws {
        let server = Authority.serving(try TestCertificateAuthority.selfSigned())
        let (client, _) = try await HandshakePair(client(.accept, version: version), server).connect()
        let trust = try #require(client.info?.trust)
        #expect(trust.isOverridden && trust.failure?.reason == .selfSigned && trust.chainCode == 18)
        let refused = try await HandshakePair(self.client(.standard, version: version), server).run()
        #expect(refused.clientFailure?.reason == .selfSigned)
        #expect(refused.clientFailure?.trust?.certificates.count == 1)
        #expect(refused.serverFailure?.message.contains("unknown_ca") == true)
    }

    @Test("an evaluation can refuse a server that the rules accept, before the client identifies itself")
    func rejects() async throws {
        for version in TLSOptions.Version.allCases {
            let server = Authority.serving {
                $0.clientCertificates = .required
                $0.clientRoots = .text(Authority.root.pem)
            }
            let client = client(.reject("on the blocklist"), version: version) {
                $0.identity = Authority.client.identity
            }
            let outcome = try await HandshakePair(client, server).run()
            let failure = try #require(outcome.clientFailure)
            #expect(failure.reason == .evaluationRefused && failure.message.hasSuffix("on the blocklist"))
            #expect(failure.trust?.failure == nil && failure.trust?.host == "localhost")
            // The server got an alert and no client certificate to verify.
            #expect(outcome.serverFailure?.reason == .alert, "\(outcome.server)")
        }
    }

    @Test("an evaluation knows if a pin matched")
    func pins() async throws {
        let seen = Seen()
        for pinned in [Authority.server, Authority.client] {
            let pin = try TLSOptions.Pinning.PublicKeyPin.certificate(pinned.der)
            let client = client(.accept, seen) { $0.pinning = .publicKey([pin]) }
            _ = try await HandshakePair(client).connect()
        }
        #expect(seen.trusts.withLock { $0.map(\.pinsMatched) } == [true, false])
        #expect(seen.last?.failure?.reason == .pinMismatch)
    }

    @Test("an evaluation is not repeated for a session that it accepted, and the trust is the same")
    func resumption() async throws {
        let seen = Seen()
        var pair = try HandshakePair(
            client(.accept, seen, version: .v1_2), Authority.serving(try TestCertificateAuthority.selfSigned()))
        pair.sessions = TLSSessionCache()
        let first = try await pair.connect()
        let second = try await pair.connect()
        #expect(first.client.info?.isResumed == false && second.client.info?.isResumed == true)
        #expect(seen.count == 1)
        let trust = second.client.info?.trust
        #expect(trust?.isOverridden == true && trust?.failure?.reason == .selfSigned)
        #expect(trust?.certificates == first.client.info?.trust.certificates)
        // Another evaluation closure makes another configuration, even if it decides the same.
        pair.client = try TLSContext(client(.accept, seen, version: .v1_2))
        #expect(try await pair.connect().client.info?.isResumed == false)
        #expect(seen.count == 2)
    }

    @Test("a session of an expired certificate is not resumed, whatever the verification checks")
    func expiredCertificate() async throws {
        var expired = TestCertificateOptions()
        expired.validUntil = .seconds(-5)
        let certificate = try TestCertificateAuthority.selfSigned(expired)
        for verification in [TLSOptions.Verification.full, .hostNameOnly, .none] {
            let seen = Seen()
            let options = client(.accept, seen, version: .v1_2) { $0.verification = verification }
            var pair = try HandshakePair(options, Authority.serving(certificate))
            pair.sessions = TLSSessionCache()
            for _ in 0..<2 { #expect(try await pair.connect().client.info?.isResumed == false) }
            #expect(seen.count == 2)
        }
    }

    @Test("a refused server leaves no session behind", arguments: TLSOptions.Version.allCases)
    func noSession(version: TLSOptions.Version) async throws {
        var pair = try HandshakePair(client(.reject("no"), version: version))
        let sessions = TLSSessionCache()
        pair.sessions = sessions
        #expect(try await pair.run().clientFailure?.reason == .evaluationRefused)
        #expect(sessions.count == 0)
    }

    /// An evaluation that ends only when it is cancelled, or that ignores even the cancellation.
    private func stuck(_ gate: TestSignal, _ release: TestSignal, ignoresCancellation: Bool) -> TLSOptions {
        Authority.trusting {
            $0.evaluate = { _ in
                gate.fire()
                if ignoresCancellation {
                    await Task { try? await release.wait() }.value
                } else {
                    try? await release.wait()
                }
                return .accept
            }
        }
    }

    @Test("an evaluation that hangs ends with the handshake's deadline", arguments: [false, true])
    func deadline(ignoresCancellation: Bool) async throws {
        let (asked, release) = (TestSignal(), TestSignal())
        defer { release.fire() }
        let (clientPipe, serverPipe) = try PipeStream.pair(PipeStream.Manner())
        let server = try TLSServerContext(Authority.serving())
        async let accepted = try? TLSStream.accept(over: serverPipe, context: server, until: .distantFuture)
        let context = try TLSContext(stuck(asked, release, ignoresCancellation: ignoresCancellation))
        let error = await #expect(throws: TransportError.self) {
            try await TLSStream.connect(
                over: clientPipe, serverName: "localhost", context: context, sessions: nil, sessionKey: "",
                until: TimeSource.system.now.advanced(by: .milliseconds(200)))
        }
        #expect(error == .timedOut)
        clientPipe.close()
        _ = await accepted
    }

    @Test("an evaluation that hangs ends when the handshake is cancelled", arguments: [false, true])
    func cancellation(ignoresCancellation: Bool) async throws {
        let (asked, release) = (TestSignal(), TestSignal())
        defer { release.fire() }
        let pair = try HandshakePair(stuck(asked, release, ignoresCancellation: ignoresCancellation))
        let task = Task { try await pair.run() }
        try await asked.wait()
        task.cancel()
        guard case .failure(.cancelled) = try await task.value.client else {
            Issue.record("not cancelled")
            return
        }
    }
}
