import ArgumentParser
import Sockeye
import SockeyeToolKit

/// A command with the options that configure a client and its calls.
///
/// Each command declares these groups itself: a debug build of ArgumentParser checks a group of groups many times over,
/// which takes longer than most calls.
protocol ClientCommand: AsyncParsableCommand {
    var route: RouteArguments { get }
    var tls: TLSArguments { get }
    var policies: PolicyArguments { get }
}

extension ClientCommand {
    /// Makes a client with the settings of the options.
    ///
    /// - Parameters:
    ///   - draft: The request, which may omit fields that a client sends by default; nil if no field is omitted.
    ///   - connections: The maximum of connections; nil for the default.
    func makeClient(
        _ output: OutputArguments, for draft: RequestDraft? = nil, jar: CookiePolicy.Jar? = nil,
        connections: Int? = nil
    ) throws -> HTTPClient {
        let configuration = try configuration(draft?.omittedFields ?? [], connections)
        var client =
            output.verbose
            ? HTTPClient(transport: VerboseTransport(configuration, showsSecrets: output.showSecrets))
                .monitored(by: ConnectionMonitor())
            : HTTPClient(configuration: configuration)
        client = client.adding(.redirects(try policies.redirects))
        if let retries = try route.retries() { client = client.adding(CallStart()).adding(retries) }
        if let authentication = try policies.authentication() { client = client.adding(authentication) }
        if let jar { client = client.adding(.cookies(jar)) }
        return client
    }

    private func configuration(_ omitted: Set<String>, _ connections: Int?) throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        let userAgent = policies.userAgent ?? "sockeye-tool"
        configuration.userAgent = userAgent.isEmpty || omitted.contains("user-agent") ? nil : userAgent
        if omitted.contains("accept-encoding") { configuration.decompresses = false }
        try route.apply(to: &configuration)
        configuration.tls = try tls.configuration()
        // This applies to user name and password in the URL as well as to --user.
        configuration.allowsPlaintextCredentials = policies.plaintextCredentials
        if let connections {
            configuration.pool.connectionsPerOrigin = connections
            configuration.pool.connections = max(connections, configuration.pool.connections)
        }
        return configuration
    }

    /// The options of a call.
    var callOptions: OutgoingRequest.Options {
        var options = OutgoingRequest.Options()
        options.collectsMetrics = true
        options.unixSocketPath = route.unixSocket
        return options
    }
}
