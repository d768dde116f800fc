import Foundation
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("TLS configurations")
struct ConfigurationTests {
    private func failure(_ change: (inout TLSOptions) -> Void) -> TLSError? {
        do throws(TLSError) {
            _ = try TLSContext(Authority.trusting(change))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "the error names roots that cannot be used",
        arguments: [
            (TLSOptions.Roots.file("/nonexistent/ca.pem"), "/nonexistent/ca.pem cannot be read: No such file"),
            (.directory("/nonexistent"), "/nonexistent does not exist or cannot be read"),
            (.pem("nothing here"), "contains no certificate"), (.pem(""), "contains no certificate"),
            (.pem("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), "is damaged"),
            (.systemAnd(.file("/nonexistent/more.pem")), "/nonexistent/more.pem"), (.file("/"), "cannot be read"),
        ] as [(TLSOptions.Roots, String)])
    func badRoots(roots: TLSOptions.Roots, text: String) {
        let failure = failure { $0.roots = roots }
        #expect(failure?.reason == .badConfiguration)
        #expect(failure?.message.contains(text) == true, "\(failure?.message ?? "none")")
    }

    @Test("roots come from a file, a hashed directory or memory, alone or in addition to the system's")
    func goodRoots() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Authority.root.pem, to: "ca.pem")
        for roots in [.file(file), .pem(Authority.root.pem), .systemAnd(.file(file))] as [TLSOptions.Roots] {
            #expect(try await HandshakePair(TLSOptions(roots: roots)).run().clientFailure == nil)
        }
        _ = try TLSContext(TLSOptions(roots: .directory(folder.path)))
        _ = try TLSContext(TLSOptions())
    }

    @Test("the error names an identity that cannot be used")
    func badIdentities() throws {
        let folder = try TemporaryFolder()
        let chain = TLSOptions.PEM.text(Authority.client.pem)
        let encrypted = try Authority.client.key.pem(passphrase: "right")
        let key = try folder.write(encrypted, to: "encrypted.key")
        let table: [(TLSOptions.Identity, String)] = [
            (.pem("/nonexistent.pem", key), "certificate file /nonexistent.pem cannot be read"),
            (.pem(certificateChain: chain, privateKey: .file("/nonexistent.key")), "private key file /nonexistent.key"),
            (.pem(certificateChain: chain, privateKey: .file(key)), "\(key) is encrypted, and no passphrase was given"),
            (.pem(certificateChain: chain, privateKey: .file(key), passphrase: "wrong"), "the passphrase is wrong"),
            (.pem(certificateChain: chain, privateKey: .text(Authority.server.key.pem)), "does not belong to"),
            (.pem(certificateChain: chain, privateKey: chain), "contains no usable private key"),
            (.pem(certificateChain: .text(encrypted), privateKey: .file(key)), "contains no certificate"),
        ]
        for (identity, text) in table {
            let failure = failure { $0.identity = identity }
            #expect(failure?.reason == .badConfiguration)
            #expect(failure?.message.contains(text) == true, "\(failure?.message ?? "none")")
            #expect(failure?.message.contains("PRIVATE") == false)
        }
        let good = TLSOptions.Identity.pem(certificateChain: chain, privateKey: .file(key), passphrase: "right")
        #expect(failure { $0.identity = good } == nil)
    }

    @Test("contradictory settings are the caller's error")
    func badSettings() {
        let changes: [@Sendable (inout TLSOptions) -> Void] = [
            { ($0.minimumVersion, $0.maximumVersion) = (.v1_3, .v1_2) }, { $0.ciphers = "NO-SUCH-CIPHER" },
            { $0.cipherSuites = "TLS_NO_SUCH_SUITE" }, { $0.applicationProtocols = [""] },
            { $0.applicationProtocols = [String(repeating: "a", count: 256)] },
            { $0.keyLogFile = "/nonexistent/keys.log" }, { $0.verification = .hostNameOnly },
            { ($0.verification, $0.pinning) = (.hostNameOnly, .publicKey([])) },
            { $0.revocation = .crl(file: "/nonexistent.crl") }, { $0.revocation = .crl(folder: "/nonexistent") },
            { $0.revocation = .crl(file: "/dev/null") },
        ]
        for change in changes { #expect(failure(change)?.reason == .badConfiguration) }
    }

    @Test("neither descriptions nor dumps show a secret")
    func secrets() {
        let identity = TLSOptions.Identity.pem(
            certificateChain: .text(Authority.client.pem), privateKey: .text(Authority.client.key.pem),
            passphrase: "open sesame")
        let configuration = Authority.trusting { $0.identity = identity }
        var text = "\(configuration) \(identity) \(String(reflecting: configuration)) \(String(reflecting: [identity]))"
        dump(configuration, to: &text)
        dump(identity, to: &text)
        #expect(!text.contains("sesame") && !text.contains("PRIVATE"))
        #expect(text.contains("PEM in memory"))
    }

    @Test("equal configurations share a context, different ones and changed files do not")
    func sharing() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Authority.root.pem, to: "ca.pem")
        let configuration = TLSOptions(roots: .file(file))
        let first = try TLSContext.shared(for: configuration)
        #expect(try TLSContext.shared(for: configuration) === first)
        var other = configuration
        other.verification = .chainOnly
        #expect(other != configuration)
        #expect(try TLSContext.shared(for: other) !== first)
        _ = try folder.write(Authority.root.pem + Authority.untrusted.pem, to: "ca.pem")
        let second = try TLSContext.shared(for: configuration)
        #expect(second !== first)
        try FileManager.default.removeItem(atPath: file)
        #expect(throws: TLSError.self) { try TLSContext.shared(for: configuration) }
    }

    @Test("configurations with files whose paths differ only in bytes are different, although the strings are equal")
    func equivalentPaths() {
        let paths = ["/certs/\u{E9}.pem", "/certs/e\u{301}.pem"]
        #expect(paths[0] == paths[1])
        let makers: [(String) -> TLSOptions] = [
            { TLSOptions(roots: .file($0)) }, { TLSOptions(roots: .directory($0)) },
            { TLSOptions(roots: .system, identity: .pem($0, "/certs/key.pem")) },
            { path in Authority.trusting { $0.revocation = .crl(file: path) } },
            { path in Authority.trusting { $0.revocation = .crl(folder: path) } },
        ]
        for make in makers {
            #expect(make(paths[0]) != make(paths[1]))
            #expect(make(paths[0]) == make(paths[0]) && make(paths[0]).hashValue == make(paths[0]).hashValue)
        }
    }

    @Test("a root in a hashed directory is not trusted after another root of the same name replaced it")
    func rotatedDirectory() async throws {
        let folder = try TemporaryFolder()
        let configuration = TLSOptions(roots: .directory(folder.path))
        let roots = [try TestCertificateAuthority(), try TestCertificateAuthority()]
        for (index, root) in roots.enumerated() {
            // The hash that `openssl x509 -hash` prints for the common name of both roots.
            let link = folder("7b624c01.0")
            let target = try folder.write(root.pem, to: "root-\(index).pem")
            if index > 0 { try FileManager.default.removeItem(atPath: link) }
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let context = try TLSContext.shared(for: configuration)
            #expect(try TLSContext.shared(for: configuration) === context)
            for (other, issuer) in roots.enumerated() {
                var pair = try HandshakePair(configuration, Authority.serving(issuer.issue()))
                pair.client = context
                let failure = try await pair.run().clientFailure
                #expect((failure == nil) == (other == index), "root \(index), server of \(other)")
            }
        }
    }

    @Test(
        "the ciphers' security level decides which certificates are too weak, in both versions",
        arguments: TLSOptions.Version.allCases, [0, 1])
    func securityLevel(version: TLSOptions.Version, lowest: Int) async throws {
        var options = TestCertificateOptions()
        if lowest == 0 { options.digest = .sha1 } else { options.algorithm = .rsa(bits: 1024) }
        let server = Authority.serving(try Authority.root.issue(options)) { $0.securityLevel = 0 }
        for level in 0...2 {
            let client = Authority.trusting {
                $0.ciphers = "DEFAULT@SECLEVEL=\(level)"
                $0.maximumVersion = version
            }
            let failure = try await HandshakePair(client, server).run().clientFailure
            #expect(failure?.reason == (level <= lowest ? nil : .weakCertificate), "level \(level)")
        }
    }

    @Test("the key log file receives the secrets of every connection and keeps its content")
    func keyLog() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("# earlier\n", to: "keys.log")
        for version in TLSOptions.Version.allCases {
            let configuration = Authority.trusting {
                $0.keyLogFile = file
                $0.maximumVersion = version
            }
            _ = try await HandshakePair(configuration).connect()
        }
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.first == "# earlier")
        #expect(lines.contains { $0.hasPrefix("CLIENT_RANDOM ") })
        #expect(lines.contains { $0.hasPrefix("CLIENT_TRAFFIC_SECRET_0 ") })
        let fresh = "\(folder.path)/new.log"
        _ = try TLSContext(Authority.trusting { $0.keyLogFile = fresh })
        let mode = try FileManager.default.attributesOfItem(atPath: fresh)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test(
        "a key log file that others can write to, or that is not a regular file, is refused",
        arguments: ["others", "group", "link", "fifo"])
    func sharedKeyLog(kind: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "keys.log")
        var path = file
        switch kind {
        case "others": unsafe #expect(chmod(file, 0o602) == 0)
        case "group": unsafe #expect(chmod(file, 0o620) == 0)
        case "link":
            path = "\(folder.path)/link"
            unsafe #expect(symlink(file, path) == 0)
        default:
            path = "\(folder.path)/fifo"
            unsafe #expect(mkfifo(path, 0o600) == 0)
        }
        let failure = #expect(throws: TLSError.self) {
            try TLSContext(Authority.trusting { $0.keyLogFile = path })
        }
        #expect(failure?.reason == .badConfiguration)
        #expect(failure?.message.contains(path) == true)
    }
}
