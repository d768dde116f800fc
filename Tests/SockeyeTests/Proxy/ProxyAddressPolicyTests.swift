import Sockeye
import SockeyeNet
import SockeyeTesting
import Testing

/// The guard against forged server-side requests (CWE-918) behind a proxy.
@Suite("The address policy behind a proxy", .timeLimit(.minutes(1)))
struct ProxyAddressPolicyTests {
    static let schemes = ["http", "socks4", "socks4a", "socks5", "socks5h"]
    /// Spellings of addresses that are not public, and names that always mean such an address.
    static let hosts = [
        "169.254.169.254", "2852039166", "0xA9.0xFE.0xA9FE", "169.254.169.254.", "10.0.0.1", "0.0.0.0", "[::1]",
        "[fd00::1]", "[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "localhost", "a.LOCALHOST.",
    ]

    /// Returns a client whose policy allows the proxy itself, by its port, and public addresses.
    private func client(_ proxy: String, port: Int, tunneling: Bool = false) throws -> HTTPClient {
        var configuration = ClientConfiguration()
        let proxy = try Proxy("\(proxy)://127.0.0.1:\(port)")
        configuration.proxy = .through(tunneling ? proxy.tunneling : proxy)
        configuration.addressPolicy = EndpointAddress.Policy { $0.port == port || $0.scope == .global }
        return HTTPClient(configuration: configuration)
    }

    @Test(
        "the policy checks literal addresses for every kind of proxy before the proxy is contacted",
        arguments: schemes, [80, 443])
    func literals(scheme: String, port: Int) async throws {
        let proxy = try await RawServer.start(script: [.readToEnd])
        for tunneling in [false, true] {
            let client = try client(scheme, port: proxy.port, tunneling: tunneling)
            for host in Self.hosts {
                let url = "\(port == 443 ? "https" : "http")://\(host)/"
                let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
                #expect(
                    error?.code == .connectFailed && error?.blame == .policy && error?.proxyFailure == nil,
                    "\(url): \(String(describing: error))")
            }
        }
        #expect(proxy.received().isEmpty)
        await proxy.stop()
    }

    @Test("allowed literals and names that the proxy resolves are sent to the proxy")
    func allowed() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let proxy = try await RawServer.start(script: [.loop([.readRequestHead, .send(answer)])])
        let client = try client("http", port: proxy.port)
        for host in ["8.8.8.8", "[2600::1]", "metadata.test"] {
            #expect(try await client.get("http://\(host)/").text() == "ok")
        }
        await proxy.stop()
    }

    @Test(
        "the policy checks the target of each redirect", arguments: ["http://169.254.169.254/latest", "http://[::1]/"])
    func redirects(target: String) async throws {
        let redirect = "HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n"
        let proxy = try await RawServer.start(script: [.loop([.readRequestHead, .send(redirect)])])
        let client = try client("http", port: proxy.port)
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://8.8.8.8/") }
        #expect(error?.code == .connectFailed && error?.blame == .policy)
        #expect(proxy.receivedText().contains("169.254") == false)
        #expect(proxy.connectionCount == 1)
        await proxy.stop()
    }
}
