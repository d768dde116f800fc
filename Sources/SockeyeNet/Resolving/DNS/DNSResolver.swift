#if AsyncDNS
import SockeyeCore
import SockeyePlatform

/// A resolver that asks name servers itself (RFC 1035), by c-ares, instead of having threads wait in `getaddrinfo`. Of the trait
/// `AsyncDNS`.
///
/// ```swift
/// configuration.resolver = DNSResolver()
/// ```
///
/// Look-ups wait where the client's connections do, so that any number of names at once takes no thread, one socket to a name
/// server, and can be cancelled; up to 250 are under way at a time and 65,536 in line. An answer is kept for as long as its
/// records allow (their TTL) or `resolverCacheLifetime` where that is shorter, so raise that for more; one with a TTL of 0 is not
/// kept. That a name does not exist or has no address is remembered for a second.
///
/// `/etc/hosts` goes first where nsswitch.conf(5) says so. The servers, `search`, `domain`, and the options `ndots`, `timeout`,
/// `attempts` and `rotate` are those of resolv.conf(5), which is read anew when it has changed, or of `LOCALDOMAIN` and
/// `RES_OPTIONS`. Both families are asked for at once and ordered by RFC 6724. An answer that does not fit into a datagram is
/// asked for again by TCP. Other sources that nsswitch.conf(5) may name, as mDNS, NIS or systemd's own names, are the system's
/// resolver's alone; and nothing here checks DNSSEC.
///
/// A look-up takes 30 s at most, and fails as one of: no such name, no address, the server's failure (SERVFAIL), its refusal,
/// no answer in time, no server that could be reached. Of one answer 64 addresses of each family are taken.
public struct DNSResolver: NameResolver {
    private let client: DNSClient

    /// c-ares multiplies the rounds by the number of servers in 32 bits, and recurses for each question that the
    /// system refuses to send.
    private static let mostAttempts = 100

    /// Makes a resolver, which may serve several clients.
    ///
    /// - Parameters:
    ///   - servers: The name servers to ask, in this order, instead of those of resolv.conf(5); a port of 0 is 53.
    ///     Unix-domain addresses and the zones of link-local ones are left out.
    ///   - searchDomains: What a short name is completed with, instead of the file's; none: names are taken as they are. Nil, the
    ///     default, is as the file says.
    ///   - timeout: How long the first answer of a server is waited for, instead of what the file says or 5 s; twice as long in
    ///     the second round. At least a millisecond.
    ///   - attempts: How many rounds through the servers, instead of what the file says or 2. From 1 to 100.
    public init(
        servers: [EndpointAddress] = [], searchDomains: [String]? = nil, timeout: Duration? = nil, attempts: Int? = nil
    ) {
        self.init(servers: servers, searchDomains: searchDomains, timeout: timeout, attempts: attempts, files: Files())
    }

    /// - Parameter files: For tests.
    package init(
        servers: [EndpointAddress], searchDomains: [String]? = nil, timeout: Duration? = nil, attempts: Int? = nil,
        files: Files
    ) {
        client = DNSClient(path: files.configuration) {
            var channel = NameServerChannel.Settings()
            channel.path = files.configuration
            channel.readsHostsVariable = files.takesHostsFromEnvironment
            let options = ResolverOptions(ofFile: files.configuration)
            let limit = timeout ?? .seconds(options.timeout)
            channel.milliseconds = Int(clamping: max(1, limit.clampedNanoseconds / 1_000_000))
            channel.attempts = min(max(1, attempts ?? options.attempts), Self.mostAttempts)
            channel.searchDomains = searchDomains?.filter { !$0.utf8.contains(0) }
            channel.servers = servers.compactMap(\.nameServer)
            return channel
        }
    }

    /// Where a resolver's settings are.
    package struct Files: Sendable {
        package var configuration = "/etc/resolv.conf"
        package var takesHostsFromEnvironment = false

        package init() {}
    }

    /// Looks a name up, at the poller that clients share.
    ///
    /// - Throws: What went wrong, or that the task was cancelled, at once then.
    public func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
        try await answer(for: host, port: port).addresses
    }

    /// Looks a name up, at the poller that clients share, and says how long the answer may be kept.
    public func answer(
        for host: String, port: Int
    ) async throws -> (addresses: [EndpointAddress], timeToLive: Duration?) {
        try await answer(for: host, port: port, on: EpollPoller.shared(), start: LookUpStart())
    }
}

extension DNSResolver: QueuedResolver {
    package func answer(
        for host: String, port: Int, on poller: any Poller, start: LookUpStart
    ) async throws -> (addresses: [EndpointAddress], timeToLive: Duration?) {
        if let addresses = try LiteralHost.addresses(of: host, port: port) { return (addresses, nil) }
        let answer = try await client.answer(for: host, on: poller, start: start)
        return (
            answer.addresses.map { EndpointAddress($0).with(port: port) }, .seconds(answer.timeToLive)
        )
    }
}

extension EndpointAddress {
    /// The address as c-ares takes it; nil for a unix-domain socket.
    fileprivate var nameServer: String? {
        guard let host, let port else { return nil }
        return (family == .ipv6 ? "[\(host)]" : host) + ":\(port == 0 ? 53 : port)"
    }
}
#endif
