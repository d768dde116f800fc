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

    @Flag(name: [.long, .customLong("noproxy")], help: "Goes without a proxy, whatever the environment says.")
    var noProxy = false

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

    /// The maximum duration of a call; nil for no limit.
    var callLimit: Duration? {
        get throws { try Self.seconds(maxTime, "--max-time") }
    }

    func apply(to configuration: inout ClientConfiguration) throws {
        configuration.proxy = .environment
        if let proxy {
            guard !noProxy else { throw UsageFault("--proxy and --no-proxy contradict each other") }
            configuration.proxy = proxy.hasPrefix("socks") ? .socks5(proxy) : .http(proxy)
        }
        if noProxy || unixSocket != nil { configuration.proxy = .none }
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
        guard (0...1000).contains(retry) else { throw UsageFault("--retry is from 0 to 1,000") }
    }

    private static func seconds(_ value: Double?, _ name: String) throws -> Duration? {
        guard let value else { return nil }
        guard value > 0, value <= 1e9 else { throw UsageFault("\(name) is a number of seconds above 0") }
        return .seconds(value)
    }
}
