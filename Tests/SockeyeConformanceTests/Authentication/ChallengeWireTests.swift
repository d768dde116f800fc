import Sockeye
import SockeyeHTTP
import SockeyeTesting
import Testing

/// The test vectors of challenges: a server sends each challenge over a socket, and a client with a user name and a
/// password answers it or not.
@Suite("Challenge vectors", .timeLimit(.minutes(1))) struct ChallengeWireTests {
    @Test("the client answers the challenge that the case names, with the response that the server computes")
    func challenges() async throws {
        let cases = ChallengeCase.all
        let server = try await RawServer.start(script: [.run { try await Self.serve($0, cases) }])
        for (key, vector) in cases.enumerated() {
            let storage = Credential.Storage()
            try storage.set(.user(vector.userName, password: vector.secret), for: server.url("/"))
            let client = HTTPClient().adding(.credentials(storage))
            let response = try await client.get(server.url(vector.target), headers: CaseServer.fields(for: key))
            let text = try await response.text()
            let complaints = vector.complaints(about: response.status == .ok ? text : nil)
            for complaint in complaints { Issue.record("\(vector.id): \(complaint)") }
        }
        await server.stop()
    }

    /// Sends the challenges of a case. A request with an Authorization field gets the field as the body.
    private static func serve(_ connection: TestConnection, _ cases: [ChallengeCase]) async throws {
        while let head = try await connection.read(through: "\r\n\r\n") {
            var rest = Array(head)[...]
            guard let request = HTTPText.takeHead(from: &rest), let key = Int(request.values("x-case").first ?? "")
            else { return }
            var answer = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n"
            for challenge in cases[key].wwwAuthenticate { answer += "WWW-Authenticate: \(challenge)\r\n" }
            answer += "\r\n"
            if let field = request.values("authorization").first {
                answer = "HTTP/1.1 200 OK\r\nContent-Length: \(field.utf8.count)\r\n\r\n\(field)"
            }
            try await connection.write(answer)
        }
    }
}
