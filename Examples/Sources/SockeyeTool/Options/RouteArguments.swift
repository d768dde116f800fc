import ArgumentParser
import Sockeye
import SockeyeToolKit

/// The options for proxies, addresses, deadlines and retries.
struct RouteArguments: ParsableArguments {
    @Option(
        name: [.customShort("x"), .long],
        help:
            "A proxy, such as http://user:password@host:3128, https://host or socks5h://host. Default: as http_proxy and its kind say."
    )
    var proxy: String?

    @Option(
        name: [.customShort("U"), .long], parsing: .unconditional,
        help: "User name and password for the proxy of --proxy, divided by a colon.")
    var proxyUser: String?

    @Flag(help: "Goes without a proxy, whatever the environment says.")
    var noProxy = false

    @Option(
        name: .customLong("noproxy"),
        help: "Hosts that are reached without the proxy of --proxy, separated by commas; '*' are all.")
    var exceptions: String?

    @Option(help: "An address instead of DNS: host:port:address.")
    var resolve: [String] = []

    @Option(help: "A unix-domain socket to connect to instead of the host.", completion: .file())
    var unixSocket: String?

    @Option(help: "Seconds for resolving, for connecting and for the TLS handshake, each.")
    var connectTimeout: Double?

    @Option(name: [.customShort("m"), .long, .customLong("timeout")], help: "Seconds for the whole call.")
    var maxTime: Double?

    @Option(help: "How often a call is repeated that failed, or whose answer says to come again.")
    var retry = 0

    @Option(help: "Seconds between repetitions. Default: 0.5 at first, then twice as long each time.")
    var retryDelay: Double?

    @Option(help: "Seconds after which nothing is repeated any more.")
    var retryMaxTime: Double?

    @Flag(help: "Repeats a call also if the server refused the connection.")
    var retryConnrefused = false

    /// The maximum duration of a call; nil for no limit.
    var callLimit: Duration? {
        get throws { try Self.seconds(maxTime, "--max-time") }
    }

    func apply(to configuration: inout ClientConfiguration) throws {
        configuration.proxy = try proxySelection()
        for text in resolve {
            let argument = try ResolveArgument(text)
            guard let address = EndpointAddress(literal: argument.address, port: argument.port) else {
                throw UsageFault("'\(argument.address)' is no IP address")
            }
            configuration.hostOverrides[argument.key, default: []].append(address)
        }
        configuration.timeouts.total = try callLimit
        if let limit = try Self.seconds(connectTimeout, "--connect-timeout") {
            configuration.timeouts.resolve = limit
            configuration.timeouts.connect = limit
            configuration.timeouts.tls = limit
        }
    }

    private func proxySelection() throws -> Proxy.Selection {
        guard let proxy else {
            guard proxyUser == nil else {
                throw UsageFault("--proxy-user belongs to --proxy; in the environment credentials stand in the URL")
            }
            guard exceptions == nil || exceptions == "*" else {
                throw UsageFault("--noproxy with hosts belongs to --proxy; no_proxy is for the environment's proxies")
            }
            return noProxy || exceptions == "*" || unixSocket != nil ? .none : .environment
        }
        guard !noProxy else { throw UsageFault("--proxy and --no-proxy contradict each other") }
        guard unixSocket == nil, exceptions != "*" else { return .none }
        let argument = try ProxyArgument(proxy, user: proxyUser, exceptions: exceptions)
        let made = try Proxy(argument.url)
        guard argument.hasExceptions else { return .through(made) }
        return .choosing { url in argument.isException(url.host) ? nil : made }
    }

    /// Returns the policy for retries; nil without `--retry`. It needs the time that ``CallStart`` notes.
    func retries() throws -> RetryPolicy? {
        guard (0...1000).contains(retry) else { throw UsageFault("--retry is from 0 to 1,000") }
        let delay = try Self.seconds(retryDelay, "--retry-delay")
        let limit = try Self.seconds(retryMaxTime, "--retry-max-time")
        guard retry > 0 else { return nil }
        let backoff = delay.map { RetryBackoff.constant($0) } ?? .exponential(jitter: .full)
        var policy = RetryPolicy.retry(max: retry, backoff: backoff, budget: nil)
        let isForRefusals = retryConnrefused
        policy.decide = { proposal in
            // As in curl, a server that does not listen is not tried again unless the user says so.
            if proposal.error?.code == .connectFailed, !isForRefusals { return .stop }
            let pause = proposal.pause ?? .zero
            if let limit, CallStart.elapsed(of: proposal.request) + pause >= limit { return .stop }
            return proposal.usual
        }
        return policy
    }

    /// Returns nil without a value and for 0. As in curl, 0 means no limit or the default.
    private static func seconds(_ value: Double?, _ name: String) throws -> Duration? {
        guard let value else { return nil }
        guard value >= 0, value <= 1e9 else { throw UsageFault("\(name) is a number of seconds from 0 to 1e9") }
        return value > 0 ? .seconds(value) : nil
    }
}
