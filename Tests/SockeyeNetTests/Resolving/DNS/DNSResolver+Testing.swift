#if AsyncDNS
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport

extension DNSResolver {
    /// A resolver that asks a test's servers and reads no file but one that is not there.
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

    /// The literals of the addresses that a name has.
    func literals(of host: String) async throws -> [String] {
        try await resolve(host, port: 80).map { "\($0)" }
    }
}

extension Result where Failure == any Error {
    /// What was thrown, as this library's own error.
    var resolveError: ResolveError? {
        if case .failure(let error) = self { error as? ResolveError } else { nil }
    }
}
#endif
