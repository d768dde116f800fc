import Sockeye
import SockeyeCore
import SockeyeHTTP
import SockeyeTesting

/// Plays every host of the cookie cases. It sets a case's cookies at its first URL and returns the received Cookie
/// fields at any other URL. The field `X-Case` has the number of the case.
final class CookieServer: Sendable {
    private let plain: RawServer
    private let secure: RawServer

    init(_ cases: [CookieCase]) async throws {
        let script: [RawStep] = [.run { try await Self.serve($0, cases) }]
        plain = try await RawServer.start(script: script)
        secure = try await RawServer.start(tls: TestTLS(TestCertificateAuthority()), script: script)
    }

    func stop() async {
        await plain.stop()
        await secure.stop()
    }

    /// Returns a configuration in which the hosts of the cases are these servers.
    func configuration(for cases: [CookieCase]) throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(timeouts: Timeouts())
        configuration.tls.verification = .none
        for vector in cases {
            for url in [try HTTPURL(vector.setUrl), try HTTPURL(vector.requestUrl)] {
                let server = url.scheme == .https ? secure : plain
                configuration.hostOverrides[url.authorityForm] = [server.address]
            }
        }
        return configuration
    }

    private static func serve(_ connection: TestConnection, _ cases: [CookieCase]) async throws {
        while let head = try await connection.read(through: "\r\n\r\n") {
            var rest = Array(head)[...]
            guard let request = HTTPText.takeHead(from: &rest), let key = Int(request.values("x-case").first ?? "")
            else { return }
            let isFirst = request.values("x-step") == ["set"]
            let target = try HTTPURL(cases[key].setUrl)
            let path = request.start.split(separator: " ")[1]
            let host = request.values("host").first ?? ""
            let setsCookies = isFirst && host == target.authority && path.hasPrefix(target.path)
            try await connection.write(setsCookies ? setting(cases[key]) : telling(request.values("cookie")))
        }
    }

    private static func setting(_ vector: CookieCase) -> Bytes {
        var text =
            vector.viaRedirect == true
            ? "HTTP/1.1 302 Found\r\nLocation: \(vector.requestUrl)\r\n" : "HTTP/1.1 200 OK\r\n"
        for cookie in vector.setCookie { text += "Set-Cookie: \(cookie)\r\n" }
        return Bytes(text + "Content-Length: 0\r\n\r\n")
    }

    /// Returns the received Cookie fields, one per line.
    private static func telling(_ cookies: [String]) -> Bytes {
        let body = cookies.joined(separator: "\n")
        return Bytes("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
}
