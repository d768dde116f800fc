#if AsyncDNS
import SockeyeCore
import SockeyePlatform

/// A resolver that queries name servers itself (RFC 1035) with c-ares, instead of blocking threads in `getaddrinfo`.
///
/// It requires the package trait `AsyncDNS`.
///
/// ```swift
/// configuration.resolver = DNSResolver()
/// ```
///
/// Look-ups wait at the client's poller (event loop). They need no threads of their own, and all of them share one UDP
/// socket for each name server. Each look-up can be cancelled. At most 250 look-ups are under way at a time, and at
/// most 65,536 more are queued. The client caches an answer for its TTL or for `resolverCacheLifetime`, whichever is
/// shorter. Answers with a TTL of 0 are not cached. The answer that a name does not exist or has no address is cached
/// for a second.
///
/// `/etc/hosts` comes first unless nsswitch.conf(5) says otherwise. The servers, `search`, `domain`, and the options
/// `ndots`, `timeout`, `attempts` and `rotate` come from resolv.conf(5), which is read again after a change. The
/// variables `LOCALDOMAIN` and `RES_OPTIONS` override the file's domains and options. Both address families are queried
/// at once, and the addresses are ordered by RFC 6724. If an answer does not fit into a datagram, the query is repeated
/// over TCP. Other sources of nsswitch.conf(5), such as mDNS, NIS or systemd's own names, are available only in the
/// system's resolver. This resolver does not check DNSSEC.
///
/// A look-up takes at most 30 s. It fails with an error such as: no such name, no address, server failure (SERVFAIL),
/// refusal, closed connection, malformed answer, no answer in time, no reachable server, full queue. At most 64
/// addresses of each family are taken from one answer.
public struct DNSResolver: NameResolver {
    private let client: DNSClient

    /// The upper limit of `attempts`. A much larger number could overflow the 32-bit product of rounds and servers in
    /// c-ares. It could also exhaust the stack, because c-ares recurses for each query that the system refuses to send.
    private static let mostAttempts = 100

    /// Creates a resolver, which may serve several clients.
    ///
    /// - Parameters:
    ///   - servers: The name servers to query, in this order, instead of those of resolv.conf(5); port 0 means 53.
    ///     Unix-domain addresses are ignored, and so are the zones of link-local addresses. If no address is left, as
    ///     by default, the servers of resolv.conf(5) are queried.
    ///   - searchDomains: The domains to complete short names with, instead of those of resolv.conf(5). An empty list
    ///     completes no names; nil, the default, uses the domains of resolv.conf(5).
    ///   - timeout: The time to wait for a server in the first round, doubled for each further round; at least 1 ms.
    ///     Default nil: the `timeout` of resolv.conf(5), or 5 s if that is missing.
    ///   - attempts: The number of rounds through the servers, from 1 to 100. Default nil: the `attempts` of
    ///     resolv.conf(5), or 2 if that is missing. c-ares 1.32 and newer may shorten the first round to five times the
    ///     mean time of earlier answers. The resolver then adds rounds, so that the total time is not shorter.
    public init(
        servers: [EndpointAddress] = [], searchDomains: [String]? = nil, timeout: Duration? = nil, attempts: Int? = nil
    ) {
        self.init(servers: servers, searchDomains: searchDomains, timeout: timeout, attempts: attempts, files: Files())
    }

    /// - Parameter files: The files to read instead of the system's, for tests.
    package init(
        servers: [EndpointAddress], searchDomains: [String]? = nil, timeout: Duration? = nil, attempts: Int? = nil,
        files: Files
    ) {
        client = DNSClient(path: files.configuration) {
            var channel = NameServerChannel.Settings()
            channel.path = files.configuration
            channel.usesHostsVariable = files.takesHostsFromEnvironment
            let options = ResolverOptions(ofFile: files.configuration)
            let limit = timeout ?? .seconds(options.timeout)
            channel.milliseconds = Int(clamping: max(1, limit.clampedNanoseconds / 1_000_000))
            channel.attempts = min(max(1, attempts ?? options.attempts), Self.mostAttempts)
            channel.searchDomains = searchDomains?.filter { !$0.utf8.contains(0) }
            channel.servers = servers.compactMap(\.nameServer)
            return channel
        }
    }

    /// The sources of a resolver's settings.
    package struct Files: Sendable {
        package var configuration = "/etc/resolv.conf"
        /// True if c-ares takes the path of the hosts file from the environment variable `CARES_HOSTS`.
        package var takesHostsFromEnvironment = false

        package init() {}
    }

    /// Resolves a name.
    ///
    /// - Throws: The error of the look-up. A cancelled task throws at once.
    public func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
        try await answer(for: host, port: port).addresses
    }

    /// Resolves a name as ``resolve(_:port:)`` does, and also returns the TTL of its addresses. The TTL is nil for an
    /// IP address, and for `localhost` and the names under it, which need no look-up.
    ///
    /// - Throws: As ``resolve(_:port:)``.
    public func answer(
        for host: String, port: Int
    ) async throws -> (addresses: [EndpointAddress], timeToLive: Duration?) {
        try await answer(for: host, port: port, on: EventPoller.shared(), start: LookUpStart())
    }
}

extension DNSResolver: QueuedResolver {
    package func answer(
        for host: String, port: Int, on poller: any Poller, start: LookUpStart
    ) async throws -> (addresses: [EndpointAddress], timeToLive: Duration?) {
        if let addresses = try LiteralHost.addresses(of: host, port: port) { return (addresses, nil) }
        let answer = try await client.answer(for: host, on: poller, start: start)
        return (
            answer.addresses.compactMap { EndpointAddress($0).with(port: port) }, .seconds(answer.timeToLive)
        )
    }
}

extension EndpointAddress {
    /// The address in the form that c-ares expects; nil for a unix-domain socket.
    fileprivate var nameServer: String? {
        guard let host, let port else { return nil }
        return (family == .ipv6 ? "[\(host)]" : host) + ":\(port == 0 ? 53 : port)"
    }
}
#endif
