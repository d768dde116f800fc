import Sockeye
import SockeyeTesting

/// 11: by way of a proxy, as `http_proxy` and its companions name it or as here.
struct ThroughProxy: Job {
    let title = "proxy"

    func run(_ client: HTTPClient) async throws -> String {
        try await withTestServer { request in
            .text("\(request.target) for \(request[.proxyAuthorization] == nil ? "nobody" : "somebody")")
        } run: { proxy in
            let url = "http://user:secret@127.0.0.1:\(proxy.port)"
            return try await HTTPClient(configuration: .init(proxy: .http(url))).get("http://example.com/x").text()
        }
    }
}
