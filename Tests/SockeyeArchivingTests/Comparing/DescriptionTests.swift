import Sockeye
import Testing

/// A setting and the text that shows its change in the description of its type.
struct DescribedSetting<Settings> {
    /// The name of its stored property.
    let name: String
    let text: String
    let set: (inout Settings) -> Void

    init(_ name: String, as text: String, set: @escaping (inout Settings) -> Void) {
        (self.name, self.text, self.set) = (name, text, set)
    }
}

@Suite("Descriptions of TLS and revocation options")
struct DescriptionTests {
    /// Expects an entry for each stored property of the type. The entry's text must be in the description only after
    /// the property has changed.
    private func expect<Settings>(
        _ standard: Settings, shows settings: [DescribedSetting<Settings>],
        describedBy describe: (Settings) -> String = { "\($0)" }
    ) {
        #expect(StoredProperties.names(of: Settings.self) == Set(settings.map(\.name)), "\(Settings.self)")
        for setting in settings {
            var changed = standard
            setting.set(&changed)
            let description = describe(changed)
            #expect(description.contains(setting.text), "\(setting.name): \(description)")
            #expect(!describe(standard).contains(setting.text), "\(setting.name)")
            #expect(!description.contains("secret"), "\(setting.name)")
        }
    }

    @Test("The description of TLS options shows each changed option, but neither keys nor passphrases")
    func tls() throws {
        let pinning = try TLSOptions.Pinning.publicKey([.spki(String(repeating: "0", count: 64))])
        let settings: [DescribedSetting<TLSOptions>] = [
            .init("roots", as: "/roots.pem") { $0.roots = .file("/roots.pem") },
            .init("identity", as: "/client.pem") {
                $0.identity = .pem("/client.pem", "/secret.key", passphrase: "secret")
            },
            .init("minimumVersion", as: "TLS 1.3...") { $0.minimumVersion = .v1_3 },
            .init("maximumVersion", as: "...TLS 1.2") { $0.maximumVersion = .v1_2 },
            .init("ciphers", as: "ECDHE+AESGCM") { $0.ciphers = "ECDHE+AESGCM" },
            .init("cipherSuites", as: "TLS_AES_256_GCM_SHA384") { $0.cipherSuites = "TLS_AES_256_GCM_SHA384" },
            .init("applicationProtocols", as: "test/1") { $0.applicationProtocols = ["test/1"] },
            .init("verification", as: "chainOnly") { $0.verification = .chainOnly },
            .init("serverName", as: "name.test") { $0.serverName = "name.test" },
            .init("pinning", as: "1 public key") { $0.pinning = pinning },
            .init("revocation", as: "/lists.pem") { $0.revocation = .crl(file: "/lists.pem") },
            .init("usesKernelTLS", as: "kernel TLS") { $0.usesKernelTLS = true },
            .init("evaluation", as: "closure") { $0.evaluate = { _ in .standard } },
            .init("keyLogFile", as: "/keys.log") { $0.keyLogFile = "/keys.log" },
        ]
        expect(TLSOptions(), shows: settings)
    }

    @Test("The description of revocation options shows the sources, the checked certificates and the policy")
    func revocation() {
        let settings: [DescribedSetting<TLSOptions.Revocation>] = [
            .init("lists", as: "/lists.pem") { $0.lists = .file("/lists.pem") },
            .init("stapling", as: "soft stapling") { $0.stapling = .soft },
        ]
        expect(TLSOptions.Revocation(), shows: settings)
        let listSettings: [DescribedSetting<TLSOptions.Revocation.Lists>] = [
            .init("source", as: "/folder") { $0 = .folder("/folder") },
            .init("policy", as: "soft lists") { $0.policy = .soft },
            .init("coversChain", as: "whole chain") { $0.coversChain = true },
        ]
        expect(TLSOptions.Revocation.Lists.file("/lists.pem"), shows: listSettings) { lists in
            var revocation = TLSOptions.Revocation()
            revocation.lists = lists
            return "\(revocation)"
        }
    }
}
