import Foundation
import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Known Digest answers over the wire: the server sends the challenges and computes the expected responses by itself.
@Suite struct KnownAnswerTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
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

        var testDescription: String { id }

        static let all: [Case] = Vectors.load(own: "digest-answers.json", public: ["auth/known.json"])
    }

    @Test(
        "the client answers the challenge with the response that the server computes", .timeLimit(.minutes(1)),
        arguments: Case.all)
    func wire(vector: Case) async throws {
        let log = RequestLog()
        try await withTestServer { request in
            try await log.take(request)
            guard let field = request["Authorization"] else {
                return .status(401, headers: ["WWW-Authenticate": vector.wwwAuthenticate])
            }
            let text = try #require(DigestText(field))
            let expected = text.expected(
                vector.method, user: vector.username, password: vector.password, content: Bytes())
            return .ok(text["response"] == expected ? "right" : "wrong")
        } run: { server in
            let client = HTTPClient().adding(.digest(user: vector.username, password: vector.password))
            #expect(try await client.get(server.url(vector.uri)).text() == "right")
            let text = try #require(log.all.last?.values("authorization").first.flatMap { DigestText($0) })
            #expect(text["nc"] == vector.nc && text["qop"] == vector.qop && text["uri"] == vector.uri)
            #expect(text["username"] == vector.userhash ?? vector.username)
        }
    }

    @Test("the computation of the test server gives the response that the vector records", arguments: Case.all)
    func arithmetic(vector: Case) throws {
        var fields = vector.wwwAuthenticate
        fields += ", cnonce=\"\(vector.cnonce)\", nc=\(vector.nc), uri=\"\(vector.uri)\""
        // The challenge may offer several values of qop. The chosen value is appended, because `DigestText` uses the
        // last parameter of a name.
        let text = try #require(DigestText(fields + ", qop=\(vector.qop)"))
        let expected = text.expected(vector.method, user: vector.username, password: vector.password, content: Bytes())
        #expect(expected == vector.response)
    }
}
