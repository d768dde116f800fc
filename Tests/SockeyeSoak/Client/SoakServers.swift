import Sockeye
import SockeyeNet
import SockeyeTesting

/// The servers of a run, in the same process as the client.
struct SoakServers: Sendable {
    private let plain: ChaosServer
    private let secure: ChaosServer
    private let untrusted: ChaosServer
    private let silent: ChaosServer
    private let cut: ChaosServer
    private let noise: ChaosServer
    private let closed: ClosedPort
    let roots: TLSOptions.Roots

    init() throws {
        let authority = try TestCertificateAuthority()
        roots = authority.roots
        plain = try ChaosServer(.plain)
        secure = try ChaosServer(.tls, tls: TLSServerContext(.init(identity: try authority.issue().identity)))
        let other = try TestCertificateAuthority(commonName: "An unknown authority")
        untrusted = try ChaosServer(.tls, tls: TLSServerContext(.init(identity: try other.issue().identity)))
        silent = try ChaosServer(.silent)
        cut = try ChaosServer(.cut)
        noise = try ChaosServer(.noise)
        closed = try ClosedPort()
    }

    func url(of exchange: SoakExchange) -> String {
        switch exchange.behaviour.target {
        case .open: url(exchange.path, overTLS: exchange.overTLS)
        case .silent: "https://\(silent.address)\(exchange.path)"
        case .cut: "https://\(cut.address)\(exchange.path)"
        case .noise: "https://\(noise.address)\(exchange.path)"
        case .untrusted: "https://\(untrusted.address)\(exchange.path)"
        case .otherName: "https://other.test:\(secure.address.port ?? 0)\(exchange.path)"
        case .plainToTLS: "http://\(secure.address)\(exchange.path)"
        case .closed: closed.url(exchange.path)
        case .slowName: "http://slow-\(exchange.nonce % 4096).test:\(plain.address.port ?? 0)\(exchange.path)"
        case .fastName: "http://fast-\(exchange.nonce % 8).test:\(plain.address.port ?? 0)\(exchange.path)"
        }
    }

    func url(_ path: String, overTLS: Bool) -> String {
        overTLS ? "https://\(secure.address)\(path)" : "http://\(plain.address)\(path)"
    }

    /// The resolver for the slow and the fast names.
    var names: SoakNames { SoakNames(address: plain.address) }

    /// Makes the answering servers close idle connections now, and all other connections after the current answer.
    func reload() {
        plain.reload()
        secure.reload()
    }

    /// The address for the name that no certificate contains.
    var hostOverrides: [String: [EndpointAddress]] { ["other.test": [secure.address]] }
}
