import Foundation
import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Synchronization
import Testing

@Suite("Evaluations of servers", .timeLimit(.minutes(1)))
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

    @Test("sees what was sent, what was made of it and whom it is about", arguments: TLSOptions.Version.allCases)
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

    @Test("accepts whom the rules refuse, for this connection", arguments: TLSOptions.Version.allCases)
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

    @Test("refuses whom the rules accept, with its reason, before the client shows who it is")
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
            // An alert, and no certificate that it could have verified.
            #expect(outcome.serverFailure?.reason == .alert, "\(outcome.server)")
        }
    }

    @Test("knows whether a pin matched")
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

    @Test("is not asked again about a session that it accepted, which has the same evidence")
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
        // Another evaluation, though it says the same, is another configuration.
        pair.client = try TLSContext(client(.accept, seen, version: .v1_2))
        #expect(try await pair.connect().client.info?.isResumed == false)
        #expect(seen.count == 2)
    }

    @Test("a server that was refused leaves no session behind", arguments: TLSOptions.Version.allCases)
    func noSession(version: TLSOptions.Version) async throws {
        var pair = try HandshakePair(client(.reject("no"), version: version))
        let sessions = TLSSessionCache()
        pair.sessions = sessions
        #expect(try await pair.run().clientFailure?.reason == .evaluationRefused)
        #expect(sessions.count == 0)
    }

    /// A closure that answers only when it is cancelled, and one that does not even do so while the handshake waits for it.
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

    @Test("one that does not answer ends with the handshake's deadline", arguments: [false, true])
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

    @Test("one that does not answer ends when the handshake is given up", arguments: [false, true])
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
