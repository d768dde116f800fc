#if Service
import Configuration
import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeService

/// Settings from the environment, which people type and which a deployment may take from other sources.
enum SettingsTargets {
    /// The input has variables as lines of `NAME=value`. A client with these settings answers a call or fails it by its
    /// deadline. Errors about the settings have no control characters.
    static let settings: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let answers = ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"].map { [Array($0.utf8)[...]] }
        let variables = variables(in: input.text)
        checkProxies(variables)
        let config = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        var configuration: ClientConfiguration
        do throws(SockeyeError) {
            configuration = try ClientConfiguration(config: config.scoped(to: "http"))
        } catch {
            require(error.code == .badConfiguration, "\(error)")
            return FuzzRun.check(error)
        }
        let server = FuzzServer.shared.configuration(for: FuzzServer.Script(answers: answers, ending: .closes))
        (configuration.resolver, configuration.addressPolicy) = (server.resolver, server.addressPolicy)
        (configuration.proxy, configuration.tls) = (.none, server.tls)
        call(configuration)
    }

    private static func variables(in text: String) -> [String: String] {
        let lines = text.utf8.split(separator: 0x0A).map { line in
            let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (String(Substring(parts[0])), parts.count > 1 ? String(Substring(parts[1])) : "")
        }
        return Dictionary(lines) { first, _ in first }
    }

    /// Makes a call with arbitrary settings, which must end by its own deadline.
    private static func call(_ configuration: ClientConfiguration) {
        let client = HTTPClient(configuration: configuration)
        let limit = Duration.milliseconds(300)
        let result = FuzzRun.value {
            await FuzzRun.call(deadline: limit, "a GET with \(configuration)") {
                try await client.get("http://a.test/", options: .timeout(total: limit)).text()
            }
        }
        client.shutDownNow()
        if case .success(let text) = result { require(text == "ok", text) }
    }

    /// Checks proxy variables: the proxy for a URL does not depend on the order of the look-ups, and loopback addresses
    /// never have a proxy.
    private static func checkProxies(_ variables: [String: String]) {
        let environment = ProxyEnvironment { variables[$0] }
        for text in ["http://a.test/", "https://b.internal:8443/", "http://127.0.0.1/", "http://[::1]:80/"] {
            guard let url = try? HTTPURL(text) else { fatalError(text) }
            let choice = Result { () throws(ProxyAddressFault) in try environment.proxy(for: url) }
            switch choice {
            case .success(let address?):
                require(text.contains("test") || text.contains("internal"), "a proxy for \(text)")
                require((1...65_535).contains(address.port), "\(address)")
                if variables["no_proxy"] == "*" { fatalError("a proxy in spite of no_proxy=*") }
            case .success(nil): break
            case .failure(let fault):
                require(
                    !fault.description.utf8.contains { $0 < 0x20 || $0 == 0x7F }, fault.description.debugDescription)
            }
        }
    }
}

extension HTTPClient {
    /// Ends the client without waiting for its work.
    fileprivate func shutDownNow() { FuzzRun.value { await self.shutDown(graceful: false) } }
}
#endif
