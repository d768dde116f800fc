import SockeyeNet
import SockeyeTesting

/// The certificates that most tests share. They are made once, because those tests do not depend on their content.
enum Authority {
    static let root = try! TestCertificateAuthority()
    static let untrusted = try! TestCertificateAuthority(commonName: "An untrusted root")
    static let server = try! root.issue()
    static let client: TestCertificate = {
        var options = TestCertificateOptions(dnsNames: ["client"])
        options.purpose = .client
        return try! root.issue(options)
    }()

    /// A client's configuration that trusts the shared root.
    static func trusting() -> TLSOptions { TLSOptions(roots: root.roots) }

    /// A client's configuration that trusts the shared root, with changes.
    static func trusting(_ change: (inout TLSOptions) throws -> Void) rethrows -> TLSOptions {
        var configuration = TLSOptions(roots: root.roots)
        try change(&configuration)
        return configuration
    }

    /// A server's configuration with the shared certificate, or another one.
    static func serving(
        _ certificate: TestCertificate = server, _ change: (inout TLSServerContext.Configuration) -> Void = { _ in }
    ) -> TLSServerContext.Configuration {
        var configuration = TLSServerContext.Configuration(identity: certificate.identity)
        change(&configuration)
        return configuration
    }
}
