import Sockeye
import SockeyeTestSupport
import Testing

/// One case of `tls-names`: does a certificate with this dNSName stand for this host.
struct NameCase: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let host: String
    let san: String
    let match: Bool

    var testDescription: String { "\(id): \(san) for \(host)" }

    static let all: [NameCase] = Vectors.load("tls-names/hostnames.json")

    /// The URL with this host, if there is one: not every string is a host.
    func url(port: Int) -> String? {
        let url = "https://\(host):\(port)/"
        // What the parser reads as another host, such as the scheme of a URL, is no case for a socket.
        guard !host.contains(":"), let parsed = try? HTTPURL(url), parsed.port == port else { return nil }
        return url
    }
}
