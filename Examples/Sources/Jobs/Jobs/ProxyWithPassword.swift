import Foundation
import Sockeye
import SockeyeTesting

// snippet.show
func client(
    viaProxy host: String, user: String, password: String
) -> HTTPClient {
    let words = [user, password].map {
        $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
    return HTTPClient(
        configuration: .init(
            proxy: .http("http://\(words[0]):\(words[1])@\(host)")))
}
// snippet.hide

extension Job {
    static let proxy = Job("A proxy with a password") {
        try await withTestServer { request in
            let expected = "Basic " + Data("ada:p@ss:w/rd".utf8).base64EncodedString()
            guard request[.proxyAuthorization] == expected else { return .status(407) }
            return .text("by proxy: \(request.target)")
        } run: { server in
            let client = client(viaProxy: "127.0.0.1:\(server.port)", user: "ada", password: "p@ss:w/rd")
            return try await client.get("http://example.com/x").validated().text()
        }
    }
}
