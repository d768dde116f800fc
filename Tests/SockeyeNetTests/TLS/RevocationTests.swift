import Foundation
import SockeyeCore
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@Suite("Certificate revocation", .timeLimit(.minutes(1)))
struct RevocationTests {
    private typealias Policy = TLSOptions.Revocation.Policy

    private func failure(
        _ revocation: TLSOptions.Revocation, _ certificate: TestCertificate, stapled: Bytes? = nil,
        version: TLSOptions.Version = .v1_3
    ) async throws -> TLSError? {
        let client = Authority.trusting {
            $0.revocation = revocation
            $0.maximumVersion = version
        }
        return try await HandshakePair(client, Authority.serving(certificate) { $0.stapledResponse = stapled }).run()
            .clientFailure
    }

    // MARK: Lists

    /// The revocation lists in a folder, and the result for a certificate that is not on them, under either policy.
    enum ListCase: String, CaseIterable {
        case current, expired, notYet, ofAnotherAuthority, forged

        func pem() throws -> String {
            switch self {
            case .current: try Authority.root.revocationList()
            case .expired: try Authority.root.revocationList(validUntil: .seconds(-60))
            case .notYet: try Authority.root.revocationList(validFrom: .seconds(600))
            case .ofAnotherAuthority: try Authority.untrusted.revocationList()
            // An authority with the root's name and another key.
            case .forged: try TestCertificateAuthority().revocationList()
            }
        }

        /// The reason of the refusal; nil if the certificate is accepted.
        func outcome(_ policy: TLSOptions.Revocation.Policy) -> TLSError.Reason? {
            switch (self, policy) {
            case (.current, _): nil
            case (.forged, _): .certificateInvalid
            case (_, .soft): nil
            case (_, .hard): .revocationUnknown
            }
        }
    }

    @Test(
        "revocation is checked by the lists in the folder",
        arguments: ListCase.allCases, TLSOptions.Revocation.Policy.allCases)
    func lists(_ vector: ListCase, policy: TLSOptions.Revocation.Policy) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(vector.pem(), to: "list.crl")
        let failure = try await failure(.crl(folder: folder.path, policy), Authority.server)
        #expect(failure?.reason == vector.outcome(policy), "\(failure?.message ?? "accepted")")
    }

    @Test(
        "a certificate on a list is refused under either policy, whether the file is PEM or DER",
        arguments: Policy.allCases)
    func revoked(policy: TLSOptions.Revocation.Policy) async throws {
        let certificate = try Authority.root.issue()
        let folder = try TemporaryFolder()
        let pem = try Authority.untrusted.revocationList() + Authority.root.revocationList(revoking: [certificate])
        let text = try folder.write(pem, to: "list.crl")
        #expect(try await failure(.crl(file: text, policy), certificate)?.reason == .certificateRevoked)
        #expect(try await failure(.crl(file: text, policy), Authority.server) == nil)
        let lists =
            try Self.der(Authority.untrusted.revocationList())
            + Self.der(Authority.root.revocationList(revoking: [certificate]))
        let binary = folder.path + "/list.der"
        try lists.write(to: URL(filePath: binary))
        let failure = try #require(try await failure(.crl(file: binary, policy), certificate))
        #expect(failure.reason == .certificateRevoked && failure.trust?.revocationLists == .revoked)
        // An expired list is used, too, if it names the certificate.
        let old = try TemporaryFolder()
        _ = try old.write(
            Authority.root.revocationList(revoking: [certificate], validUntil: .seconds(-60)), to: "old.pem")
        #expect(try await self.failure(.crl(folder: old.path, .soft), certificate)?.reason == .certificateRevoked)
    }

    /// Returns a revocation list in DER form, given in PEM form.
    private static func der(_ pem: String) throws -> Data {
        try #require(Data(base64Encoded: pem.split(separator: "\n").dropFirst().dropLast().joined()))
    }

    @Test("a list in DER form that is followed by anything but a list is an error")
    func rest() throws {
        let folder = try TemporaryFolder()
        let binary = folder("list.der")
        let list = try Self.der(Authority.root.revocationList())
        try (list + list.prefix(40)).write(to: URL(filePath: binary))
        let error = #expect(throws: TLSError.self) {
            try TLSContext(Authority.trusting { $0.revocation = .crl(file: binary) })
        }
        #expect(error?.reason == .badConfiguration && error?.message.contains(binary) == true)
    }

    @Test("issuers are checked only if requested")
    func wholeChain() async throws {
        let intermediate = try Authority.root.intermediate()
        let certificate = try intermediate.issue()
        let folder = try TemporaryFolder()
        let lists =
            try intermediate.revocationList() + Authority.root.revocationList(revoking: [intermediate.certificate])
        let path = try folder.write(lists, to: "lists.crl")
        #expect(try await failure(.crl(file: path), certificate) == nil)
        #expect(try await failure(.crl(file: path, coversChain: true), certificate)?.reason == .certificateRevoked)
        let only = try folder.write(intermediate.revocationList(), to: "leaf.crl")
        #expect(try await failure(.crl(file: only, coversChain: true), certificate)?.reason == .revocationUnknown)
    }

    @Test("TLSTrust tells unconfigured, unusable and good revocation lists apart")
    func said() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Authority.untrusted.revocationList(), to: "list.crl")
        func trust(_ revocation: TLSOptions.Revocation) async throws -> TLSTrust? {
            try await HandshakePair(Authority.trusting { $0.revocation = revocation }).connect().client.info?.trust
        }
        #expect(try await trust(.none)?.revocationLists == .notAsked)
        guard case .notChecked(let reason)? = try await trust(.crl(file: path, .soft))?.revocationLists else {
            Issue.record("checked")
            return
        }
        #expect(reason == "unable to get certificate CRL")
        let good = try folder.write(Authority.root.revocationList(), to: "good.crl")
        #expect(try await trust(.crl(file: good))?.revocationLists == .good)
    }

    @Test("damaged lists are an error of the caller, not of the server")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        for text in ["", "nothing", Authority.server.pem, String(try Authority.root.revocationList().prefix(200))] {
            let path = try folder.write(text, to: "list.crl")
            #expect(throws: TLSError.self) {
                try TLSContext(Authority.trusting { $0.revocation = .crl(file: path) })
            }
        }
    }

    /// A list that is encrypted with the passphrase `secret`, which `openssl crl` cannot write.
    private static let encryptedList = """
        -----BEGIN X509 CRL-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-256-CBC,FE1C11FC786C94AAEFE9F35D45498C90

        vdTt5c2CHfKmnhAue2HtSq4RMIetoxzNij04YEFnmcRn093Ce1OwyWdfIxZLwfLH
        RdLbKdnYPbJhgQopF5XXAFfqJRpSYovYRSGYRdnljOXOjJ3A8MRXiwd3EswVQGx1
        5cgT/wUUTfFNzVPZQ27b5RYCsKJfa7oy45i2BWs39f9VaJ+kzIvWnHl43NTr3Fwr
        EjaTj0zfdfLUbSQkndE38367Y2sedRFVptLXIERD1N8=
        -----END X509 CRL-----

        """

    @Test("an encrypted list is refused without a prompt for its passphrase")
    func encrypted() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.encryptedList, to: "list.crl")
        // Without a terminal OpenSSL reads a passphrase from standard input. Here it would find the right one.
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("secret\n".utf8))
        try pipe.fileHandleForWriting.close()
        let standardInput = dup(STDIN_FILENO)
        dup2(pipe.fileHandleForReading.fileDescriptor, STDIN_FILENO)
        defer {
            dup2(standardInput, STDIN_FILENO)
            close(standardInput)
        }
        let failure = #expect(throws: TLSError.self) {
            try TLSContext(Authority.trusting { $0.revocation = .crl(file: path) })
        }
        #expect(failure?.reason == .badConfiguration)
    }

    // MARK: Stapling

    enum Staple: String, CaseIterable {
        case good, byResponder, withoutEnd, revoked, unknown, expired, notYet, old, ofAnother, byStranger, byServer
        case malformed, empty, missing

        func response(for certificate: TestCertificate) throws -> Bytes? {
            let root = Authority.root
            switch self {
            case .good: return try root.ocspResponse(for: certificate)
            case .byResponder:
                var options = TestCertificateOptions(dnsNames: [])
                options.purpose = .ocspSigning
                return try root.ocspResponse(for: certificate, signedBy: root.issue(options))
            case .withoutEnd: return try root.ocspResponse(for: certificate, validUntil: nil)
            case .revoked: return try root.ocspResponse(for: certificate, .revoked)
            case .unknown: return try root.ocspResponse(for: certificate, .unknown)
            case .expired: return try root.ocspResponse(for: certificate, validUntil: .seconds(-600))
            case .notYet: return try root.ocspResponse(for: certificate, validFrom: .seconds(3600))
            case .old: return try root.ocspResponse(for: certificate, validFrom: .seconds(-9 * 86400), validUntil: nil)
            case .ofAnother: return try root.ocspResponse(for: root.issue())
            case .byStranger:
                return try root.ocspResponse(for: certificate, signedBy: Authority.untrusted.certificate)
            // Signed by the server's certificate, which the issuer issued without the purpose of signing responses.
            case .byServer: return try root.ocspResponse(for: certificate, signedBy: certificate)
            case .malformed: return [0x30, 3, 1, 2, 3]
            case .empty: return [0x30, 3, 0x0A, 1, 3]
            case .missing: return nil
            }
        }

        var isGood: Bool { [.good, .byResponder, .withoutEnd].contains(self) }

        func outcome(_ policy: TLSOptions.Revocation.Policy, mustStaple: Bool) -> TLSError.Reason? {
            if isGood { return nil }
            if self == .revoked { return .certificateRevoked }
            return policy == .hard || mustStaple ? .revocationUnknown : nil
        }
    }

    @Test(
        "revocation is checked by the response that the server staples",
        arguments: Staple.allCases, TLSOptions.Version.allCases)
    func stapling(staple: Staple, version: TLSOptions.Version) async throws {
        for mustStaple in [false, true] {
            var options = TestCertificateOptions()
            options.mustStaple = mustStaple
            let certificate = try Authority.root.issue(options)
            let response = try staple.response(for: certificate)
            for policy in TLSOptions.Revocation.Policy.allCases {
                let failure = try await failure(.stapling(policy), certificate, stapled: response, version: version)
                #expect(
                    failure?.reason == staple.outcome(policy, mustStaple: mustStaple),
                    "\(policy) \(mustStaple) \(failure?.message ?? "accepted")")
            }
            // A client that does not check is not affected.
            #expect(try await failure(.none, certificate, stapled: response, version: version) == nil)
        }
    }

    @Test("stapling without roots is a configuration error", arguments: [TLSOptions.Verification.none, .hostNameOnly])
    func withoutRoots(verification: TLSOptions.Verification) throws {
        var options = TLSOptions()
        options.verification = verification
        options.revocation = .stapling(.soft)
        #expect(#expect(throws: TLSError.self) { try TLSContext(options) }?.reason == .badConfiguration)
        options.evaluate = { _ in .standard }
        #expect(throws: Never.self) { try TLSContext(options) }
    }

    @Test("TLSTrust has the status from the stapled response, also in a connection that resumes the session")
    func known() async throws {
        let response = try Authority.root.ocspResponse(for: Authority.server)
        let client = Authority.trusting {
            $0.revocation = .stapling(.hard)
            $0.maximumVersion = .v1_2
        }
        var pair = try HandshakePair(client, Authority.serving { $0.stapledResponse = response })
        pair.sessions = TLSSessionCache()
        #expect(try await pair.connect().client.info?.trust.stapledResponse == .good)
        let resumed = try await pair.connect().client.info
        #expect(resumed?.isResumed == true && resumed?.trust.stapledResponse == .good)
    }

    @Test("a session is not resumed after its stapled response has expired")
    func expiry() async throws {
        // The response has expired, but by less than the tolerated difference of clocks.
        let response = try Authority.root.ocspResponse(for: Authority.server, validUntil: .seconds(-10))
        let client = Authority.trusting {
            $0.revocation = .stapling(.hard)
            $0.maximumVersion = .v1_2
        }
        var pair = try HandshakePair(client, Authority.serving { $0.stapledResponse = response })
        pair.sessions = TLSSessionCache()
        for _ in 0..<2 { #expect(try await pair.connect().client.info?.isResumed == false) }
    }

    @Test(
        "a session is not resumed after a revocation list has expired, unless the policy is soft",
        arguments: Policy.allCases)
    func expiredList(policy: TLSOptions.Revocation.Policy) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Authority.root.revocationList(validUntil: .seconds(600)), to: "list.crl")
        let client = Authority.trusting {
            $0.revocation = .crl(file: path, policy)
            $0.maximumVersion = .v1_2
        }
        let passed = Mutex(0)
        var pair = try HandshakePair(client)
        pair.sessions = TLSSessionCache { Int(SystemClock.unixTime) + passed.withLock { $0 } }
        #expect(try await pair.connect().client.info?.isResumed == false)
        #expect(try await pair.connect().client.info?.isResumed == true)
        passed.withLock { $0 = 700 }
        #expect(try await pair.connect().client.info?.isResumed == (policy == .soft))
    }

    @Test("a server with a revoked certificate is refused even if an evaluation accepts it")
    func evaluated() async throws {
        let response = try Authority.root.ocspResponse(for: Authority.server, .revoked)
        for version in TLSOptions.Version.allCases {
            let client = Authority.trusting {
                $0.revocation = .stapling(.soft)
                $0.evaluate = { _ in .accept }
                $0.maximumVersion = version
            }
            let outcome = try await HandshakePair(client, Authority.serving { $0.stapledResponse = response }).run()
            #expect(outcome.clientFailure?.reason == .certificateRevoked)
            #expect(outcome.clientFailure?.trust?.stapledResponse == .revoked)
        }
    }
}
