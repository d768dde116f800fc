import HTTPTypes
import Sockeye
import SockeyeTesting
import Testing

@testable import SockeyeCache

/// Violations that are rejected unless they are tolerated. See ``ResponseTolerances``.
@Suite("Responses with tolerable violations", .timeLimit(.minutes(1)))
struct ToleranceTests {
    private func server(_ answer: String, tls: Bool = false, end: Ending = .close) throws -> FaultServer {
        try FaultServer(tls: tls ? try Credentials.server() : nil) { peer in
            while try await peer.connection.read(through: "\r\n\r\n") != nil {
                try await peer.connection.write(answer)
                if !answer.contains("Content-Length") || end != .close { return try await end.end(peer) }
            }
        }
    }

    private static let lineFeeds = "HTTP/1.1 200 OK\r\nServer: x\nContent-Length: 2\nX-Y: z\n\nok"

    @Test("a head with lines that end in LF is refused, and the error says how to allow it")
    func lineFeedsAreRefused() async throws {
        let server = try server(Self.lineFeeds)
        let error = await failure { _ = try await HTTPClient().get(server.url()) }
        #expect(error?.code == .malformedResponse)
        #expect(error?.phase == .head)
        #expect(error?.message.contains("ResponseTolerances.bareLineFeeds") == true)
    }

    enum Way: String, CaseIterable, Sendable {
        case client, scope, call
    }

    @Test(
        "a head with lines that end in LF is accepted if allowed, and its connection is not reused",
        arguments: Way.allCases)
    func lineFeedsAreAllowed(_ way: Way) async throws {
        let server = try server(Self.lineFeeds)
        var configuration = HTTPClient.Configuration()
        if way == .client { configuration.tolerances = .bareLineFeeds }
        let client = HTTPClient(configuration: configuration)
        let scope = way == .scope ? client.scoped(tolerances: .bareLineFeeds) : client
        var options = OutgoingRequest.Options()
        if way == .call { options.tolerances = .bareLineFeeds }
        for _ in 0..<3 {
            let response = try await scope.get(server.url(), options: options)
            #expect(response.headers["X-Y"] == "z")
            #expect(try await response.text() == "ok")
        }
        #expect(server.connections == 3, "a connection with a tolerated violation is not reused")
        options.tolerances = []
        let error = await failure { _ = try await scope.get(server.url(), options: options) }
        #expect(error?.code == .malformedResponse, "the options of the call override those of the scope")
    }

    @Test(
        "a bare LF in chunks, a bare CR and contradicting fields are refused whatever is allowed",
        arguments: [
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nok\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2;a\nok\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\r\nok\n0\r\n\r\n",
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\r\nok\r\n0\nA: b\r\n\r\n",
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\r\nok\r\n0\r\nA: b\n\n",
            "HTTP/1.1 200 OK\nA: b\rContent-Length: 0\n\nok", "HTTP/1.1 200 OK\nA: b\r\r\n\nok",
            "HTTP/1.1 200 OK\nContent-Length: 1\nContent-Length: 2\n\nok",
        ])
    func framingIsStrict(answer: String) async throws {
        let server = try server(answer)
        let error = await failure {
            _ = try await HTTPClient().scoped(tolerances: .bareLineFeeds).get(server.url()).bytes()
        }
        #expect(error?.code == .malformedResponse)
        #expect(error?.message.contains("ResponseTolerances") == false)
    }

    private static let endless = "HTTP/1.1 200 OK\r\n\r\nsome"

    @Test("a response that ends without close_notify is refused, and the error says how to allow it")
    func missingCloseNotifyIsRefused() async throws {
        let server = try server(Self.endless, tls: true, end: .cut)
        let client = HTTPClient(configuration: try Credentials.configuration())
        let error = await failure { _ = try await client.get(server.url()).bytes() }
        #expect(error?.code == .connectionClosed)
        #expect(error?.message.contains("ResponseTolerances.missingCloseNotify") == true)
        let scope = client.scoped(tolerances: .missingCloseNotify)
        #expect(try await scope.get(server.url()).text() == "some")
        await client.expectAtRest()
    }

    @Test("a truncated response is served from the cache only to calls that accept truncated responses")
    func truncatedInCache() async throws {
        let server = try server(
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\n\r\nsome", tls: true, end: .cut)
        let policy = CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20))
        var configuration = try Credentials.configuration()
        let strict = HTTPClient(configuration: configuration).adding(.cache(policy))
        configuration.tolerances = .missingCloseNotify
        let tolerant = HTTPClient(configuration: configuration).adding(.cache(policy))
        for client in [tolerant, strict.scoped(tolerances: .missingCloseNotify)] {
            #expect(try await client.get(server.url()).text() == "some")
        }
        #expect(server.connections == 1, "calls with the same tolerances share the stored response")
        for client in [strict, tolerant.scoped(tolerances: [])] {
            let error = await failure { _ = try await client.get(server.url()).bytes() }
            #expect(error?.code == .connectionClosed)
        }
    }

    @Test(
        "a response that is known to be incomplete is refused whatever is allowed",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nsome",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n", "HTTP/1.1 200 OK\r\nA: b", "",
        ], [Ending.cut, .reset])
    func truncationIsRefused(answer: String, end: Ending) async throws {
        let server = try server(answer, tls: true, end: end)
        let client = HTTPClient(configuration: try Credentials.configuration()).scoped(tolerances: .missingCloseNotify)
        let error = await failure { _ = try await client.get(server.url()).bytes() }
        #expect(error?.code == .connectionClosed)
        #expect(error?.message.contains("ResponseTolerances") == false)
    }

    @Test("a response that ends in a reset is refused whatever is allowed")
    func resetIsRefused() async throws {
        let server = try server(Self.endless, tls: true, end: .reset)
        let client = HTTPClient(configuration: try Credentials.configuration()).scoped(tolerances: .missingCloseNotify)
        let error = await failure { _ = try await client.get(server.url()).bytes() }
        #expect(error?.code == .connectionClosed)
    }
}
