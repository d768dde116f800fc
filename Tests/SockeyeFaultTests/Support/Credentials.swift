import Sockeye
import SockeyeNet
import SockeyeTesting

/// One certificate authority for all fault tests, and a server certificate issued by it.
enum Credentials {
    static let authority = Result { try TestCertificateAuthority() }

    static func server() throws -> TLSServerContext {
        try TLSServerContext(.init(identity: try authority.get().issue().identity))
    }

    static func configuration() throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.tls = TLSOptions(roots: try authority.get().roots)
        return configuration
    }
}
