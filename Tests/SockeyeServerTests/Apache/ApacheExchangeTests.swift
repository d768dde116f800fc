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

    @Test("Apache accepts Basic credentials, sent in advance or after a challenge", arguments: [true, false])
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

    @Test("the client never answers a Basic challenge with a credential for Digest")
    func digestOnly() async throws {
        let client = HTTPClient().adding(.digest(user: ApacheServer.user, password: ApacheServer.password))
        let response = try await client.get(apache.url("/basic/hello"))
        #expect(response.status == .unauthorized && response.history.isEmpty)
    }

    @Test(
        "the client decodes the gzip of mod_deflate, also after Digest authentication",
        arguments: ["/packed", "/digest/packed"])
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

    @Test("the client follows a redirect to a resource that requires authentication")
    func redirect() async throws {
        let client = HTTPClient().adding(.digest(user: ApacheServer.user, password: ApacheServer.password))
        let response = try await client.get(apache.url("/found"))
        #expect(try await response.text() == ApacheServer.hello)
        #expect(response.history.map(\.reason) == [.redirected, .challenged])
    }

    @Test("Apache serves a range of a resource that requires Digest, if If-Range has its strong validator")
    func ranges() async throws {
        let client = HTTPClient().adding(.digest(user: ApacheServer.user, password: ApacheServer.password))
        let whole = try await client.get(apache.url("/digest/hello"))
        let tag = try #require(whole[.eTag])
        let part = try await client.get(
            apache.url("/digest/hello"), headers: [.range: "bytes=6-", "If-Range": tag])
        #expect(part.status == .partialContent)
        #expect(try await part.text() == ApacheServer.hello.dropFirst(6))
    }

    @Test("a stopped server no longer accepts connections")
    func cleansUp() async throws {
        let server = try ApacheServer()
        #expect(try await HTTPClient().get(server.url("/hello")).text() == ApacheServer.hello)
        server.stop()
        let error = await #expect(throws: SockeyeError.self) { try await HTTPClient().get(server.url("/hello")) }
        #expect(error?.code == .connectFailed)
    }
}
