import SockeyeHTTP
import Testing

@testable import SockeyeEngine

@Suite("Proxies from the environment")
struct ProxyEnvironmentTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let variables: [String: String]
        var url = "http://example.com/"
        let proxy: String?
        var testDescription: String { "\(variables) for \(url)" }
    }

    static let rows = [
        Row(variables: [:], proxy: nil),
        Row(variables: ["http_proxy": "a", "HTTP_PROXY": "b"], proxy: "http://a"),
        Row(variables: ["http_proxy": "", "HTTP_PROXY": "b:3128"], proxy: "http://b:3128"),
        Row(variables: ["HTTP_PROXY": "b", "REQUEST_METHOD": "GET"], proxy: nil),
        Row(variables: ["HTTP_PROXY": "b", "REQUEST_METHOD": "GET", "all_proxy": "c"], proxy: "http://c"),
        Row(variables: ["http_proxy": "b", "REQUEST_METHOD": "GET"], proxy: "http://b"),
        Row(variables: ["HTTPS_PROXY": "b", "REQUEST_METHOD": "GET"], url: "https://x.y/", proxy: "http://b"),
        Row(variables: ["http_proxy": "a"], url: "https://x.y/", proxy: nil),
        Row(variables: ["ALL_PROXY": "socks5h://u:p@a"], url: "https://x.y/", proxy: "socks5h://a"),
        Row(variables: ["http_proxy": "a"], url: "http://localhost/", proxy: nil),
        Row(variables: ["http_proxy": "a"], url: "http://api.localhost/", proxy: nil),
        Row(variables: ["http_proxy": "a"], url: "http://localhost./", proxy: nil),
        Row(variables: ["http_proxy": "a"], url: "http://127.9.9.9/", proxy: nil),
        Row(variables: ["http_proxy": "a"], url: "http://[::1]:99/", proxy: nil),
        Row(variables: ["http_proxy": "a", "NO_PROXY": "*"], proxy: nil),
        Row(variables: ["http_proxy": "a", "no_proxy": "example.com:80"], proxy: nil),
        Row(variables: ["http_proxy": "a", "no_proxy": "example.com:81"], proxy: "http://a"),
        Row(variables: ["http_proxy": "a", "no_proxy": "*.example.com"], url: "http://b.example.com/", proxy: nil),
        Row(
            variables: ["http_proxy": "a", "no_proxy": "[2001:db8::1]:81"], url: "http://[2001:db8::1]:81/", proxy: nil),
        Row(variables: ["http_proxy": "a", "no_proxy": "[2001:db8::1]"], url: "http://[2001:db8::1]:81/", proxy: nil),
        Row(variables: ["http_proxy": "a", "no_proxy": "example.com\n"], proxy: nil),
        Row(variables: ["http_proxy": "a", "no_proxy": "a.test,\r\n example.com\t,b.test"], proxy: nil),
        Row(variables: ["http_proxy": "a", "no_proxy": "a.test\nexample.com\u{A0}\nb.test"], proxy: nil),
        Row(variables: ["http_proxy": "a", "no_proxy": "a.test example.com"], proxy: "http://a"),
        Row(variables: ["http_proxy": "a", "no_proxy": "a.test\n*\n"], proxy: nil),
        Row(variables: ["http_proxy": " \n", "HTTP_PROXY": " b:3128\n"], proxy: "http://b:3128"),
        Row(variables: ["http_proxy": "a", "no_proxy": "10.0.0.0/8"], url: "http://10.2.3.4/", proxy: nil),
    ]

    @Test("the variables decide about the proxy of a URL", arguments: rows)
    func variables(row: Row) throws {
        let environment = ProxyEnvironment { row.variables[$0] }
        #expect(try environment.proxy(for: HTTPURL(row.url))?.description == row.proxy)
    }

    @Test(
        "a malformed proxy fails only the requests that it applies to, and the error does not quote it",
        arguments: ["ftp://s3cret", "http://u:s3cret@", "http://a/s3cret", "a:99999", "a?s3cret", "http://a b"])
    func faults(text: String) throws {
        let environment = ProxyEnvironment { $0 == "http_proxy" ? text : nil }
        let url = try HTTPURL("http://example.com/")
        let fault = #expect(throws: ProxyAddressFault.self) { _ = try environment.proxy(for: url) }
        #expect(!"\(fault as Any)".contains("s3cret"))
        #expect(try environment.proxy(for: HTTPURL("https://example.com/")) == nil)
    }

    @Test(
        "the default port is that of the proxy's scheme",
        arguments: [
            ("http://a", 80), ("socks5://a", 1080), ("socks5://a:80", 80), ("https://a", 443), ("http://a:443", 443),
        ])
    func ports(text: String, port: Int) throws {
        #expect(try ProxyAddress(text).port == port)
    }
}
