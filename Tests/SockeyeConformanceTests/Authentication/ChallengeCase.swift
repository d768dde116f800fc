import Foundation
import SockeyeCore
import SockeyeTestSupport

/// One case of the public `auth-more`: the challenges of a response, and the scheme of the client's answer.
struct ChallengeCase: Decodable, Sendable {
    let id: String
    let wwwAuthenticate: [String]
    private let answers: String
    /// The algorithm of the strongest challenge, if there are several.
    private let strongest: String?
    private let user: String?
    private let password: String?
    private let uri: String?

    static let all: [ChallengeCase] = Vectors.load(public: Vectors.publicFiles(in: "auth-more"))

    var userName: String { user ?? "Mufasa" }
    var secret: String { password ?? "Circle of Life" }
    var target: String { uri ?? "/" }

    /// Returns the differences between an Authorization field and the expected answer. The field is nil if the client
    /// answered no challenge.
    func complaints(about field: String?) -> [String] {
        guard let field else { return answers == "basic" || answers == "digest" ? ["no answer"] : [] }
        if answers == "digest" || answers == "either", let text = DigestText(field) { return complaints(about: text) }
        let basic = "Basic " + Data("\(userName):\(secret)".utf8).base64EncodedString()
        let isRight = (answers == "basic" || answers == "either") && field == basic
        return isRight ? [] : ["answered: \(field)"]
    }

    /// Computes the response as a server does, with the realm and the nonce of the answer.
    private func complaints(about text: DigestText) -> [String] {
        var complaints: [String] = []
        if text["response"] != text.expected("GET", user: userName, password: secret, content: Bytes()) {
            complaints.append("the wrong response: \(text)")
        }
        let name = text["userhash"] == "true" ? hashedName(text) : userName
        if text["username"] != name { complaints.append("the wrong user: \(text)") }
        if text["uri"] != target { complaints.append("the wrong target: \(text)") }
        if let strongest, text["algorithm"] != strongest { complaints.append("not the strongest: \(text)") }
        // A case in which the client may or may not answer can have a malformed value.
        for name in ["realm", "nonce", "opaque"] where answers == "digest" {
            guard let value = text[name], !isOffered(value) else { continue }
            complaints.append("another \(name): \(value)")
        }
        return complaints
    }

    private func hashedName(_ text: DigestText) -> String {
        DigestText.hash(Bytes("\(userName):\(text["realm"] ?? "")"), text["algorithm"] ?? "MD5")
    }

    /// True if a challenge has the value, with the escapes of a quoted string.
    private func isOffered(_ value: String) -> Bool {
        let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return wwwAuthenticate.contains { escaped.isEmpty || $0.contains(escaped) }
    }
}
