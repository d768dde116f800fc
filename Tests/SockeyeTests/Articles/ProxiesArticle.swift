import Sockeye

/// The snippets of Proxies.md, which would need the proxies that they name: compiled, not run.
struct ProxiesArticle {
    struct Script: Sendable {
        func routes(to url: HTTPURL) async throws -> [Proxy.Route] { [.direct] }
    }

    struct Vault: Sendable {
        func credential(for proxy: String) async throws -> Credential { .bearer(proxy) }
    }

    var configuration = HTTPClient.Configuration()
    let script = Script()
    let vault = Vault()

    mutating func which(first: Proxy, second: Proxy) {
        configuration.proxy = .environment
        configuration.proxy = .http("http://ada:secret@proxy.example.com:3128")
        configuration.proxy = .http("https://proxy.example.com")
        configuration.proxy = .socks5("socks5h://127.0.0.1:1080")
        let script = script
        configuration.proxy = .inOrder([first, second])
        configuration.proxy = .choosing { url in url.host.hasSuffix(".internal") ? nil : first }
        configuration.proxy = .routing { url in try await script.routes(to: url) }
    }

    mutating func tls() throws {
        let office = try Proxy("https://proxy.example.com", tls: TLSOptions(roots: .file("/etc/ssl/office.pem")))
        configuration.proxy = .through(office)
    }

    func passwords(password: String) throws -> [Proxy] {
        let asked = try Proxy(
            "http://proxy.example.com:3128", authentication: .credential(.user("ada", password: password)))
        let token = try Proxy(
            "http://proxy.example.com:3128", authentication: .credential(.bearer("token"), unasked: true))
        let netrc = try Proxy("http://proxy.example.com:3128", authentication: .netrc())
        let handled = try Proxy(
            "http://proxy.example.com:3128",
            authentication: .handler { request in
                request.previousFailures == 0 ? try await vault.credential(for: request.proxy) : nil
            })
        return [asked, token, netrc, handled]
    }

    mutating func fields() throws -> Proxy {
        let traced = try Proxy("http://proxy.example.com:3128", connectHeaders: { url in ["X-Target": url.host] })
        configuration.socket.proxyProtocol = .v2
        return traced
    }
}
