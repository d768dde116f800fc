import HTTPTypes
import Sockeye
import Testing

@Suite(
    "nginx: authentication", .enabled(if: NginxServer.isInstalled, "\(NginxServer.missing)"), .timeLimit(.minutes(1)))
struct NginxAuthenticationTests {
    private static let secret = "for those with a password"

    let nginx: NginxServer

    init() throws {
        nginx = try NginxServer.shared.get()
    }

    @Test("nginx accepts credentials that are sent in advance", arguments: NginxServer.Scheme.allCases)
    func unasked(scheme: NginxServer.Scheme) async throws {
        let client = nginx.client().adding(.basic(user: "ada", password: "love lace"))
        let response = try await client.get(nginx.url("/secret", over: scheme))
        #expect(try await response.text() == Self.secret)
        #expect(response.history.isEmpty)
        let wrong = nginx.client().adding(.basic(user: "ada", password: "wrong"))
        #expect(try await wrong.get(nginx.url("/secret", over: scheme)).status == .unauthorized)
    }

    @Test("nginx accepts credentials after a challenge, on the same connection", arguments: NginxServer.Scheme.allCases)
    func asked(scheme: NginxServer.Scheme) async throws {
        let storage = Credential.Storage()
        try storage.set(.user("ada", password: "love lace"), for: nginx.url("/", over: scheme), realm: "test")
        let client = nginx.client().adding(.credentials(storage))
        let first = try await client.get(nginx.url("/secret", over: scheme))
        #expect(try await first.text() == Self.secret)
        #expect(first.history.count == 1)
        let second = try await client.get(nginx.url("/secret", over: scheme))
        #expect(try await second.text() == Self.secret)
        #expect(second.history.isEmpty)
        #expect(client.pool?.statistics.created == 1)
    }
}
