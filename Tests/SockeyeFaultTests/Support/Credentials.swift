import Sockeye
import SockeyeNet
import SockeyeTesting

/// One authority for all tests here, and a server certificate of it.
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
