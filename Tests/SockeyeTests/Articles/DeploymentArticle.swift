#if AsyncDNS
import Sockeye
@testable import SockeyeDNS

/// The snippets of Deployment.md, which would need name servers: compiled, not run.
struct DeploymentArticle {
    func names() -> HTTPClient {
        var configuration = ClientConfiguration()
        configuration.resolver = DNSResolver()
        configuration.resolverCacheLifetime = .seconds(3_600)
        return HTTPClient(configuration: configuration)
    }
}
#endif
