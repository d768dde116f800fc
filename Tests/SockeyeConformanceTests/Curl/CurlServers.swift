import Sockeye
import SockeyeTesting

/// All running servers of a case, each on a port of its own.
struct CurlServers {
    /// The log of their requests.
    let log: CurlServer
    let variables: CurlCommand.Variables
    let socks: CurlSOCKSServer?
    private let running: [RawServer]

    /// The variable for each kind's port.
    private static let ports = [
        "http": "%HTTPPORT", "https": "%HTTPSPORT", "http-ipv6": "%HTTP6PORT", "http-proxy": "%PROXYPORT",
        "https-proxy": "%HTTPSPROXYPORT", "socks4": "%SOCKSPORT", "socks5": "%SOCKSPORT", "http-unix": "%HTTPPORT",
    ]

    /// - Throws: ``CurlCommand/Unsupported`` for kinds of servers that are not implemented here.
    static func start(_ vector: CurlCase) async throws -> CurlServers {
        let log = CurlServer(vector)
        let closed = try ClosedPort()
        var variables = CurlCommand.Variables(closed: closed)
        var socks: CurlSOCKSServer?
        var running: [RawServer] = []
        // A SOCKS proxy leads to the origin, which must be started before.
        for kind in vector.servers.sorted() {
            guard let port = kind.split(separator: " ").first.flatMap({ ports[String($0)] }) else {
                throw CurlCommand.Unsupported(description: "a server of the kind \(kind)")
            }
            let server: RawServer
            if kind.hasPrefix("socks") {
                let proxy = CurlSOCKSServer(vector, origin: variables.ports["%HTTPPORT"] ?? closed.port)
                server = try await proxy.start()
                socks = proxy
            } else {
                server = try await log.start(kind)
            }
            variables.ports[port] = server.port
            if server.port == 0 { variables.unixPath = String(server.address.description.dropFirst("unix:".count)) }
            running.append(server)
        }
        log.place(at: variables)
        return CurlServers(log: log, variables: variables, socks: socks, running: running)
    }

    func stop() async {
        for server in running { await server.stop() }
    }
}
