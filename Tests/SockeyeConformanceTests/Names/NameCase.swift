import Sockeye
import SockeyeTestSupport
import Testing

/// One case of `host-names.json` or `tls-names`: a host, a dNSName, and whether a certificate with it is valid for the
/// host.
struct NameCase: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let host: String
    let san: String
    let match: Bool

    var testDescription: String { "\(id): \(san) for \(host)" }

    static let all: [NameCase] = Vectors.load(own: "host-names.json", public: ["tls-names/hostnames.json"])

    /// Returns the URL with this host; nil if the string is not a host.
    func url(port: Int) -> String? {
        let url = "https://\(host):\(port)/"
        // A string that the parser reads as another host, such as a URL's scheme, cannot be tried over a socket.
        guard !host.contains(":"), let parsed = try? HTTPURL(url), parsed.port == port else { return nil }
        return url
    }
}
