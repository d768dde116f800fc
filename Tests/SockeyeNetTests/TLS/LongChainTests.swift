import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Testing

/// Certificate chains that are too large to receive or too long to verify.
@Suite("Long certificate chains", .timeLimit(.minutes(1)))
struct LongChainTests {
    private static let filler = try! Authority.untrusted.intermediate().certificate

    /// A server that sends certificates that nothing needs, `size` bytes in all.
    private func server(sending size: Int) throws -> TLSServerContext.Configuration {
        let count = size / Self.filler.der.count
        return TLSServerContext.Configuration(
            identity: .pem(
                certificateChain: .text(Authority.server.pem + String(repeating: Self.filler.pem, count: count)),
                privateKey: .text(Authority.server.key.pem)))
    }

    @Test("more than 100 KiB of certificates are refused, and less do no harm", arguments: TLSOptions.Version.allCases)
    func size(version: TLSOptions.Version) async throws {
        let client = Authority.trusting { $0.maximumVersion = version }
        let good = try await HandshakePair(client, server(sending: 90 << 10)).run()
        #expect(good.clientFailure == nil)
        let outcome = try await HandshakePair(client, server(sending: 110 << 10)).run()
        #expect(outcome.clientFailure?.message.contains("excessive message size") == true)
    }

    @Test("a chain of more than 100 authorities is refused, whether the chain is verified or only its pin")
    func length() async throws {
        let first = try Authority.root.intermediate()
        var authority = first
        for number in 1..<105 { authority = try authority.intermediate(commonName: "Authority \(number)") }
        let server = Authority.serving(try authority.issue())
        let outcome = try await HandshakePair(Authority.trusting(), server).run()
        #expect(outcome.clientFailure?.message.contains("too long") == true)
        let pinned = try Authority.trusting {
            $0.verification = .hostNameOnly
            $0.pinning = try .publicKey([.certificate(first.certificate.der)])
        }
        #expect(try await HandshakePair(pinned, server).run().clientFailure?.reason == .pinMismatch)
    }
}
