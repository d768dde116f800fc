import Foundation
import SockeyeArchiving
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Configured proxies")
struct ProxySelectionTests {
    static let unusable: [Proxy.Selection] = [
        .http(""), .http("socks5://s3cret"), .socks5("http://s3cret"), .http("socks4://s3cret"),
        .socks5("socks4://me:s3cret@a"), .socks5("socks4a://me%00s3cret@a"),
        .http("http://a/s3cret"),
        .http("http://u%3Ax:s3cret@a"), .http("http://u:s3cret%0A@a"),
        .socks5("socks5://\(String(repeating: "s3cret", count: 50))@a"), .http("a:0"),
    ]

    @Test(
        "an invalid proxy fails the request, and the error does not show the proxy's secrets",
        arguments: unusable.indices)
    func bad(index: Int) async throws {
        let client = HTTPClient(configuration: .init(proxy: Self.unusable[index]))
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://127.0.0.1:1/") }
        #expect(error?.code == .badConfiguration && error?.url == "http://127.0.0.1:1/")
        #expect(!"\(error as Any)".contains("s3cret"))
    }

    @Test("no text or dump of a proxy shows its credentials")
    func secrecy() throws {
        let proxy = try Proxy("http://me:s3cret@proxy.test:3128")
        var text = "\(proxy) \(proxy.customMirror.children.map { "\($0)" })"
        dump(proxy, to: &text)
        dump(ClientConfiguration(proxy: .http("http://me:s3cret@proxy.test")), to: &text)
        #expect(text.contains("http://proxy.test:3128") && proxy.hasCredentials)
        #expect(!text.contains("s3cret") && !text.contains("bWU6czNjcmV0"))
    }

    @Test("proxies with different credentials, schemes, TLS or fields are different")
    func equality() throws {
        #expect(try Proxy("proxy.test") == Proxy("http://PROXY.test:80"))
        #expect(try Proxy("http://a@proxy.test") != Proxy("http://b@proxy.test"))
        #expect(try Proxy("http://proxy.test") != Proxy("socks5://proxy.test:80"))
        #expect(try Proxy("socks5h://proxy.test").port == 1080)
        #expect(try Proxy("socks5h://proxy.test") != Proxy("socks5://proxy.test"))
        #expect(try Proxy("https://proxy.test") != Proxy("https://proxy.test", tls: TLSOptions(verification: .none)))
        let token = Proxy.Authentication.credential(.bearer("t"))
        #expect(try Proxy("a", authentication: token) == Proxy("a", authentication: token))
        #expect(try Proxy("a", authentication: token) != Proxy("a"))
        #expect(try Proxy("a", connectHeaders: { _ in [:] }) != Proxy("a"))
    }

    @Test(
        "proxy selections are archived by name, and proxies by URL",
        arguments: [
            "none", "environment", "http://a:3128", "https://a", "socks4://a", "socks4a://a", "socks5://[::1]",
            "socks5h://a:1",
        ])
    func archives(text: String) throws {
        let json = Data("{\"proxy\": \"\(text)\"}".utf8)
        let configuration = try JSONDecoder().decode(ClientConfiguration.self, from: json)
        let again = try JSONEncoder().encode([configuration.proxy])
        #expect(try JSONDecoder().decode([String].self, from: again) == [text])
    }

    @Test("closures and credentials cannot be archived")
    func unarchivable() {
        let own = [
            Proxy.Selection.choosing { _ in nil }, .routing { _ in [] }, .inOrder([]), .http("http://me:s3cret@a"),
            .http("ftp://a"),
        ]
        for proxy in own {
            #expect(throws: EncodingError.self) { try JSONEncoder().encode([proxy]) }
        }
    }

    @Test("an invalid proxy of the environment fails only requests of its scheme")
    func environment() throws {
        let chooser = try #require(
            ProxyChooser(
                .environment, environment: .init { ["http_proxy": "https://a", "https_proxy": "ftp://a"][$0] }))
        #expect(try chooser.proxy(for: HTTPURL("http://example.com/"))?.description == "https://a")
        #expect(throws: SockeyeError.self) { try chooser.proxy(for: HTTPURL("https://example.com/")) }
        #expect(ProxyChooser(.none) == nil)
    }
}
