#if AsyncDNS
import SockeyeCore
import SockeyeDNS
import SockeyeNet
import SockeyeTestSupport

extension DNSResolver {
    /// Creates a resolver that asks a test's servers. By default its configuration file does not exist.
    init(
        asking servers: TestNameServer..., searchDomains: [String]? = [], timeout: Duration = .seconds(20),
        attempts: Int = 1, files: Files? = nil
    ) {
        var none = Files()
        none.configuration = "/nonexistent/resolv.conf"
        self.init(
            servers: servers.map { address("127.0.0.1", $0.port) }, searchDomains: searchDomains, timeout: timeout,
            attempts: attempts, files: files ?? none)
    }

    /// Returns the addresses of a name as literals.
    func literals(of host: String) async throws -> [String] {
        try await resolve(host, port: 80).map { "\($0)" }
    }
}

extension Result where Failure == any Error {
    /// The thrown error as a `ResolveError`.
    var resolveError: ResolveError? {
        if case .failure(let error) = self { error as? ResolveError } else { nil }
    }
}
#endif
