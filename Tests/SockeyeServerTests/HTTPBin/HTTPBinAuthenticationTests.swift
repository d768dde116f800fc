import HTTPTypes
import Sockeye
import Testing

@Suite(
    "httpbin: authentication", .enabled(if: HTTPBinServer.isInstalled, "\(HTTPBinServer.missing)"),
    .timeLimit(.minutes(1)))
struct HTTPBinAuthenticationTests {
    private struct Answer: Decodable {
        let authenticated: Bool
    }

    let httpbin: HTTPBinServer

    init() throws {
        httpbin = try HTTPBinServer.shared.get()
    }

    @Test(
        "lets in whoever answers its Digest challenge",
        arguments: ["auth/ada/love/MD5", "auth/ada/love/SHA-256", "auth-int/ada/love/MD5", "auth/ada/love"])
    func digest(path: String) async throws {
        // Without a query: httpbin fails to compute the answer for one.
        let url = httpbin.url("/digest-auth/\(path)")
        let client = HTTPClient().adding(.digest(user: "ada", password: "love"))
        for _ in 0..<2 {
            let answer = try await client.get(url).json(Answer.self)
            #expect(answer.authenticated)
        }
        let wrong = HTTPClient().adding(.digest(user: "ada", password: "hate"))
        let response = try await wrong.get(url)
        #expect(response.status == .unauthorized && response.history.count == 1)
    }

    @Test("lets in with Basic and Bearer")
    func others() async throws {
        let storage = CredentialStorage()
        try storage.set(.user("ada", password: "l\u{F6}ve"), for: httpbin.url("/"))
        let asked = HTTPClient().adding(.credentials(storage))
        #expect(try await asked.get(httpbin.url("/basic-auth/ada/l%C3%B6ve")).json(Answer.self).authenticated)
        let unasked = HTTPClient().adding(.basic(user: "ada", password: "love"))
        #expect(try await unasked.get(httpbin.url("/hidden-basic-auth/ada/love")).json(Answer.self).authenticated)
        let token = HTTPClient().adding(.bearer("t0ken"))
        #expect(try await token.get(httpbin.url("/bearer")).json(Answer.self).authenticated)
    }
}
