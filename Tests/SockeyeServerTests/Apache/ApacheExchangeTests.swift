import HTTPTypes
import Sockeye
import Testing

@Suite(
    "Apache: exchanges", .enabled(if: ApacheServer.isInstalled, "\(ApacheServer.missing)"), .timeLimit(.minutes(1)))
struct ApacheExchangeTests {
    let apache: ApacheServer

    init() throws {
        apache = try ApacheServer.shared.get()
    }

    @Test("lets in with Basic, unasked or asked", arguments: [true, false])
    func basic(isUnasked: Bool) async throws {
        let storage = Credential.Storage()
        try storage.set(.user(ApacheServer.user, password: ApacheServer.password), for: apache.url("/"))
        let unasked = AuthenticationPolicy.basic(user: ApacheServer.user, password: ApacheServer.password)
        let client = HTTPClient().adding(isUnasked ? unasked : .credentials(storage))
        let response = try await client.get(apache.url("/basic/hello"))
        #expect(try await response.text() == ApacheServer.hello)
        #expect(response.history.count == (isUnasked ? 0 : 1))
        #expect(try await client.get(apache.url("/basic/hello")).history.isEmpty)
        let wrong = HTTPClient().adding(.basic(user: ApacheServer.user, password: "wrong"))
        let refused = try await wrong.get(apache.url("/basic/hello"))
        #expect(refused.status == .unauthorized && refused.history.isEmpty)
    }

    @Test("never answers Basic with a credential that is for Digest")
    func digestOnly() async throws {
        let client = HTTPClient().adding(.digest(user: ApacheServer.user, password: ApacheServer.password))
        let response = try await client.get(apache.url("/basic/hello"))
        #expect(response.status == .unauthorized && response.history.isEmpty)
    }

    @Test("undoes the gzip of mod_deflate, behind Digest too", arguments: ["/packed", "/digest/packed"])
    func unpacks(path: String) async throws {
        let client = HTTPClient().adding(.digest(user: ApacheServer.user, password: ApacheServer.password))
        var options = OutgoingRequest.Options()
        options.decompresses = false
        let coded = try await client.get(
            apache.url(path), headers: [.acceptEncoding: "gzip"], options: options)
        #expect(coded[.contentEncoding] == "gzip")
        #expect(try await coded.bytes().count < ApacheServer.packed.utf8.count / 10)
        let response = try await client.get(apache.url(path))
        #expect(response[.contentEncoding] == nil)
        #expect(try await response.text() == ApacheServer.packed)
    }

    @Test("follows a redirect to what needs an answer")
    func redirect() async throws {
        let client = HTTPClient().adding(.digest(user: ApacheServer.user, password: ApacheServer.password))
        let response = try await client.get(apache.url("/found"))
        #expect(try await response.text() == ApacheServer.hello)
        #expect(response.history.map(\.reason) == [.redirected, .challenged])
    }

    @Test("resumes a download behind Digest with its strong validator")
    func ranges() async throws {
        let client = HTTPClient().adding(.digest(user: ApacheServer.user, password: ApacheServer.password))
        let whole = try await client.get(apache.url("/digest/hello"))
        let tag = try #require(whole[.eTag])
        let part = try await client.get(
            apache.url("/digest/hello"), headers: [.range: "bytes=6-", "If-Range": tag])
        #expect(part.status == .partialContent)
        #expect(try await part.text() == ApacheServer.hello.dropFirst(6))
    }

    @Test("leaves nothing behind of a server that was stopped")
    func cleansUp() async throws {
        let server = try ApacheServer()
        #expect(try await HTTPClient().get(server.url("/hello")).text() == ApacheServer.hello)
        server.stop()
        let error = await #expect(throws: SockeyeError.self) { try await HTTPClient().get(server.url("/hello")) }
        #expect(error?.code == .connectFailed)
    }
}
