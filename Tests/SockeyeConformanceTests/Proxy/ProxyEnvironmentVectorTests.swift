import Sockeye
import SockeyeTestSupport
import Testing

@testable import SockeyeHTTP

/// Tables of `no_proxy` in curl's form, and of the proxy variables in Go's form.
@Suite struct ProxyEnvironmentVectorTests {
    struct BypassCase: Decodable, Sendable, CustomTestStringConvertible {
        let id: String
        let host: String
        let noProxy: String
        let direct: Bool
        var testDescription: String { id }
    }

    struct VariablesCase: Decodable, Sendable, CustomTestStringConvertible {
        let id: String
        let url: String
        let httpProxy: String?
        let httpsProxy: String?
        let noProxy: String?
        let requestMethodEnv: String?
        let proxy: String?
        var testDescription: String { id }
    }

    @Test(
        "no_proxy is read as in curl",
        arguments: Vectors.load(own: "no-proxy.json", public: ["proxy-env/noproxy.json"], as: BypassCase.self))
    func bypass(vector: BypassCase) {
        #expect(BypassList(vector.noProxy).contains(host: vector.host, port: 80) == vector.direct)
    }

    @Test(
        "the proxy variables are read as in Go",
        arguments: Vectors.load(
            own: "proxy-variables.json", public: ["proxy-env/go-env.json"], as: VariablesCase.self))
    func variables(vector: VariablesCase) throws {
        let variables = [
            "HTTP_PROXY": vector.httpProxy, "HTTPS_PROXY": vector.httpsProxy, "NO_PROXY": vector.noProxy,
            "REQUEST_METHOD": vector.requestMethodEnv,
        ]
        let environment = ProxyEnvironment { variables[$0] ?? nil }
        #expect(try environment.proxy(for: HTTPURL(vector.url))?.description == vector.proxy)
    }
}
