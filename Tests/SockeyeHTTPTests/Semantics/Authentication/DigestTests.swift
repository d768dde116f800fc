import Foundation
import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite("Digest authentication") struct DigestTests {
    /// A case of `digest-answers.json` or `auth/known.json`.
    struct Known: Decodable {
        let id: String
        let wwwAuthenticate: String
        let username: String
        let password: String
        let method: String
        let uri: String
        let cnonce: String
        let nc: String
        let qop: String
        let response: String
        let userhash: String?
    }

    private func session(
        _ challenge: String, user: String = "Mufasa", password: String = "Circle of Life",
        clientNonce: String = "cn0nce"
    ) throws -> DigestSession? {
        guard let parsed = ChallengeParser.challenges(in: [challenge]).first,
            let digest = DigestChallenge(parsed)
        else { return nil }
        return try DigestSession(digest, .user(user, password: password), clientNonce: clientNonce)
    }

    private func parameters(_ authorization: String?) -> Challenge? {
        authorization.flatMap { ChallengeParser.challenges(in: [$0]).first }
    }

    private let request = DigestRequest(method: "POST", target: "/dir?q=1", content: Bytes("content"))

    @Test("the answers equal those of the known cases")
    func known() throws {
        for item in Vectors.load(own: "digest-answers.json", public: ["auth/known.json"], as: Known.self) {
            var session = try #require(
                try session(
                    item.wwwAuthenticate, user: item.username, password: item.password, clientNonce: item.cnonce))
            let request = DigestRequest(method: item.method, target: item.uri, content: Bytes())
            let text = session.answer(request)
            let answer = try #require(parameters(text))
            #expect(answer["response"] == item.response, "\(item.id)")
            #expect(answer["nc"] == item.nc && answer["qop"] == item.qop && answer["uri"] == item.uri)
            #expect(answer["username"] == item.userhash ?? item.username)
            #expect(answer["userhash"] == (item.userhash == nil ? nil : "true"))
        }
    }

    /// The responses, computed with Python's hashlib.
    static let table: [(algorithm: String, qop: String?, response: String)] = [
        ("MD5", "auth", "cc0369e0461fb94cc67fa6afaf0e1bc9"),
        ("MD5", "auth-int", "70ad798099cb5fd395a62d17e1ae4c51"),
        ("MD5", nil, "93e40088681ce775526d722d2a49a8e8"),
        ("MD5-sess", "auth", "263e72c362c4682ad25c96aa52e7055b"),
        ("MD5-sess", "auth-int", "8c83fa8707f8d7a9a118b489981bf1ba"),
        ("MD5-sess", nil, "edcf14fca4720ab1670fe666efb47985"),
        ("SHA-256", "auth", "03b8ca51176969e36e6eaf8feddebbd98affcac027fa713626a05d73b964a6bf"),
        ("SHA-256", "auth-int", "c789d30b3a6657940eadc20e8238bb0abddbea1cc410ce059b7fe93d54bbbc55"),
        ("SHA-256", nil, "eaf191d942e04ea4564ecb0eefd268433293aaed8a90e989c1792411dc4d789e"),
        ("SHA-256-sess", "auth", "5e29ff1b9fc19073b9609114e204254dd57d93d20c6c3010df0ee94f2f6dd506"),
        ("SHA-256-sess", "auth-int", "bfeb832815c7ce4b0e6be73dec9d72a67bc583c9b5dbebc649f80911e9255e9e"),
        ("SHA-256-sess", nil, "82636592e8b6aec4a09acd64d889c62af036fc1e45156b4487bec1a0d5a33b1c"),
        ("SHA-512-256", "auth", "5d02d95884690b2fe2e4c33e88bd0eb4e757c61788055a8e9ee3da8cef3ba597"),
        ("SHA-512-256", "auth-int", "62acc89da176502b4f79d4820ed39d7dbf58ad27c0ae882eaba0e95ae1d29771"),
        ("SHA-512-256", nil, "8aed07a7a34e7a4254dfb7e5d429b14d59f9db99acb08c9a7b9d4652148390f9"),
        ("SHA-512-256-sess", "auth", "8999477b24f4040968456a0eef804d1bcf569f7c805627ed8b10a8143dac9643"),
        ("SHA-512-256-sess", "auth-int", "cee179e3e2011ceab8f723ae7820b89b6110f085863e4851c7962e2bcf903ff8"),
        ("SHA-512-256-sess", nil, "dd57c904e2765ddce66c58c3b6ae8655b5ce71cf84cd535ef9d6086701480134"),
    ]

    @Test("every algorithm with every protection gives the right response", arguments: table)
    func algorithms(algorithm: String, qop: String?, response: String) throws {
        let offer = qop.map { ", qop=\"\($0)\"" } ?? ""
        var session = try #require(
            try session(
                "Digest realm=\"http-auth@example.org\", nonce=n0nce, algorithm=\(algorithm.lowercased())\(offer)"))
        let text = session.answer(request)
        let answer = try #require(parameters(text))
        #expect(answer["response"] == response)
        #expect(answer["algorithm"] == algorithm)
        #expect(answer["qop"] == qop)
        #expect(answer["nc"] == qop.map { _ in "00000001" })
        #expect((answer["cnonce"] == "cn0nce") == (qop != nil || algorithm.hasSuffix("sess")))
    }

    @Test(
        "the Authorization field has the same form as curl's",
        arguments: [
            (
                "testuser", "realm=\"testrealm\", nonce=\"1053604145\"", "/64",
                #"Digest username="testuser", realm="testrealm", nonce="1053604145", uri="/64", response="#
            ),
            (
                #"\user""#, "realm=\"test \\\"this\\\" realm!!\", nonce=1", "/",
                #"Digest username="\\user\"", realm="test \"this\" realm!!", nonce="1", uri="/", response="#
            ),
            (
                "u", "realm=r, nonce=n, qop=\"crazy, auth\", opaque=\"o\\\\\", algorithm=MD5", "/",
                #"Digest username="u", realm="r", nonce="n", uri="/", cnonce="cn0nce", nc=00000001, qop=auth, response="#
            ),
        ])
    func field(user: String, challenge: String, target: String, start: String) throws {
        var session = try #require(try session("Digest \(challenge)", user: user))
        let text = session.answer(DigestRequest(method: "GET", target: target, content: nil))
        let answer = try #require(text)
        #expect(answer.hasPrefix(start), "\(answer)")
        #expect(answer.hasSuffix(#", opaque="o\\", algorithm=MD5"#) == challenge.contains("opaque"))
    }

    @Test(
        "quotes and backslashes are escaped, even before combining characters",
        arguments: ["\"\u{301}", "\\\u{301}", "\"\u{FE0F}", "\\\u{200D}\"", "a\"\u{20DD}, uri=\"/x"])
    func combining(text: String) throws {
        let escaped = text.unicodeScalars.map { "\"\\".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined()
        let challenge = #"Digest realm="\#(escaped)", nonce="n", opaque="\#(escaped)""#
        var session = try #require(try session(challenge, user: text))
        let field = session.answer(DigestRequest(method: "GET", target: "/", content: nil))
        let answer = try #require(field)
        let quoted = Array("\"\(escaped)\"".utf8)
        for name in ["username", "realm", "opaque"] {
            let expected = Array("\(name)=".utf8) + quoted
            let bytes = Array(answer.utf8)
            #expect(bytes.indices.contains { bytes[$0...].starts(with: expected) }, "\(name)")
        }
        let read = ChallengeParser.challenges(in: [answer])
        #expect(
            read.count == 1 && read.first?["uri"] == "/"
                && read.first.map { Array(($0["realm"] ?? "").utf8) } == Array(text.utf8))
    }

    @Test("quoted-pairs are unescaped before hashing, as in curl")
    func escapes() throws {
        let realm = #"Digest realm="test \"this\" realm!!", nonce="1053604145""#
        var first = try #require(try session(realm, user: "testuser", password: "testpass"))
        let answer = parameters(first.answer(DigestRequest(method: "GET", target: "/1095", content: nil)))
        #expect(answer?["response"] == "df3246f44d2bc8de0e9f8fc4d7cf6e95")
        let plain = #"Digest realm="testrealm", nonce="1053604145""#
        var second = try #require(try session(plain, user: #"\user""#, password: "password"))
        let other = parameters(second.answer(DigestRequest(method: "GET", target: "/1229", content: nil)))
        #expect(other?["response"] == "f2694d426040712584c156d3de72b8d6")
    }

    @Test("the nonce counter goes up and restarts with a new nonce")
    func counting() throws {
        var session = try #require(try session("Digest realm=r, nonce=n, qop=auth"))
        let counters = (0..<17).map { _ in parameters(session.answer(request))?["nc"] }
        #expect(counters.first == "00000001" && counters.last == "00000011")
        var renewed = try #require(try session.renewed(nonce: "next", clientNonce: "other"))
        let answer = parameters(renewed.answer(request))
        #expect(answer?["nonce"] == "next" && answer?["nc"] == "00000001" && answer?["cnonce"] == "other")
    }

    @Test("a user name beyond ASCII is sent encoded if the server reads UTF-8, else unchanged")
    func names() throws {
        var modern = try #require(try session("Digest realm=r, nonce=n, qop=auth, charset=UTF-8", user: "J\u{E4}s n"))
        #expect(modern.answer(request)?.hasPrefix("Digest username*=UTF-8''J%C3%A4s%20n, realm") == true)
        var old = try #require(try session("Digest realm=r, nonce=n, qop=auth", user: "J\u{E4}s n"))
        #expect(old.answer(request)?.hasPrefix("Digest username=\"J\u{E4}s n\", realm") == true)
        #expect(throws: CredentialFault.controlCharacter) { try session("Digest realm=r, nonce=n", user: "a\nb") }
    }

    @Test("content that is not in memory cannot be protected")
    func producedContent() throws {
        let produced = DigestRequest(method: "PUT", target: "/", content: nil)
        var protected = try #require(try session("Digest realm=r, nonce=n, qop=auth-int"))
        #expect(protected.answer(produced) == nil)
        var either = try #require(try session("Digest realm=r, nonce=n, qop=\"auth-int,auth\""))
        #expect(parameters(either.answer(produced))?["qop"] == "auth")
    }

    @Test(
        "an unsupported challenge makes no session",
        arguments: [
            "Basic realm=r", "Digest realm=r", "Digest nonce=n", "Digest realm=r, nonce=n, algorithm=SHA-1",
            "Digest realm=r, nonce=n, qop=crazy", "Digest abc==",
            "Digest realm=r, nonce=\(String(repeating: "n", count: DigestChallenge.maximumLength))",
        ])
    func unanswerable(challenge: String) throws {
        #expect(try session(challenge) == nil)
    }
}
