import ArgumentParser
import Sockeye
import SockeyeToolKit

/// The options of all commands: settings of the client and of its calls.
struct ClientArguments: ParsableArguments {
    @OptionGroup(title: "Connections") var route: RouteArguments
    @OptionGroup(title: "TLS") var tls: TLSArguments
    @OptionGroup(title: "Redirects, cookies, credentials") var policies: PolicyArguments

    /// Makes a client with the settings of the options.
    ///
    /// - Parameter connections: The maximum of connections; nil for the default.
    func client(_ jar: CookiePolicy.Jar? = nil, connections: Int? = nil) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.userAgent = policies.userAgent ?? "sockeye-tool"
        try route.apply(to: &configuration)
        configuration.tls = try tls.configuration()
        // This applies to user name and password in the URL as well as to --user.
        configuration.allowsPlaintextCredentials = policies.plaintextCredentials
        if let connections {
            configuration.pool.connectionsPerOrigin = connections
            configuration.pool.connections = max(connections, configuration.pool.connections)
        }
        var client = HTTPClient(configuration: configuration).adding(.redirects(try policies.redirects))
        if route.retry > 0 {
            client = client.adding(.retry(max: route.retry, backoff: .exponential(jitter: .full), budget: nil))
        }
        if let authentication = try policies.authentication() { client = client.adding(authentication) }
        if let jar { client = client.adding(.cookies(jar)) }
        return client
    }

    var options: OutgoingRequest.Options {
        var options = OutgoingRequest.Options()
        options.collectsMetrics = true
        options.unixSocketPath = route.unixSocket
        return options
    }
}
