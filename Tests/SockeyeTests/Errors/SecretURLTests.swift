import Foundation
import HTTPTypes
import SockeyeHTTP
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

@testable import Sockeye

/// No text of any error shows the secrets of a URL's query.
@Suite("Secrets of URLs in errors", .timeLimit(.minutes(1)))
struct SecretURLTests {
    private static let secret = "s3cr3t-of-mine"
    private static let query = "?X-Amz-Signature=\(secret)&token=\(secret)&key=\(secret)&page=1#access_token=\(secret)"

    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: SockeyeError.Code
        let provoke: @Sendable (String) async throws -> Void

        init(_ code: SockeyeError.Code, _ name: String, _ provoke: @escaping @Sendable (String) async throws -> Void) {
            self.code = code
            testDescription = name
            self.provoke = provoke
        }
    }

    private struct Ignorant: NameResolver {
        func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] { [] }
    }

    private struct Refusal: Error {}

    private static var client: HTTPClient { HTTPClient() }
    private static let failing = BodySerializer { _, _ -> Int in throw Refusal() }

    /// Returns a call to a server that answers with `response`.
    private static func answered(
        _ response: @escaping @Sendable (TestRequest) throws -> TestServerResponse,
        _ call: @escaping @Sendable (HTTPClient, String) async throws -> Void
    ) -> @Sendable (String) async throws -> Void {
        { query in
            try await withTestServer {
                try response($0)
            } run: { server in
                try await call(client, server.url("/a" + query))
            }
        }
    }

    /// Returns a call to a server that answers with these bytes.
    private static func answered(raw text: String) -> @Sendable (String) async throws -> Void {
        { query in
            let server = try await RawServer.start(script: [.readRequestHead, .send(text), .closeWrite, .readToEnd])
            _ = try await client.get(server.url("/a" + query)).bytes()
        }
    }

    private static let before = [
        Failure(.invalidURL, "no URL") { _ = try await client.get("ftp://a.test/\($0)") },
        Failure(.invalidURL, "a URL with a control") { _ = try await client.get("http://a.test/a\n\($0)") },
        Failure(.invalidURL, "a relative URL") { _ = try await client.get("/a\($0)") },
        Failure(.encodingFailed, "content that cannot be encoded") {
            try await client.post("http://a.test/\($0)", .json(["a": Double.nan]))
        },
        Failure(.encodingFailed, "a query that cannot be encoded") {
            _ = try await client.get("http://a.test/\($0)", query: ["token": secret, "a": Double.nan])
        },
        Failure(.interceptorFailed, "an interceptor") {
            let client = client.adding(SigningInterceptor.signing { _, _ in throw Refusal() })
            _ = try await client.get("http://a.test/\($0)")
        },
        Failure(.resolutionFailed, "an unknown name") {
            var configuration = ClientConfiguration()
            configuration.resolver = Ignorant()
            _ = try await HTTPClient(configuration: configuration).get("http://a.test/\($0)")
        },
        Failure(.connectFailed, "a closed port") {
            // The closed port is reserved until the call has ended, so that no other test gets it.
            let closed = try ClosedPort()
            defer { withExtendedLifetime(closed) {} }
            _ = try await client.get("http://127.0.0.1:\(closed.port)/\($0)")
        },
        Failure(.connectFailed, "a closed port of a proxy") {
            let closed = try ClosedPort()
            defer { withExtendedLifetime(closed) {} }
            let configuration = ClientConfiguration(proxy: .http("http://127.0.0.1:\(closed.port)"))
            _ = try await HTTPClient(configuration: configuration).get("http://a.test/\($0)")
        },
    ]

    private static let during = [
        Failure(.invalidRequest, "an invalid field") {
            let server = try await RawServer.start(script: [.readRequestHead, .hang])
            _ = try await client.get(server.url("/a" + $0), headers: [.host: ""])
        },
        Failure(.timeout, "a timeout") {
            let server = try await RawServer.start(script: [.readRequestHead, .hang])
            _ = try await client.get(server.url("/a" + $0), options: .timeout(total: .milliseconds(50)))
        },
        Failure(.tlsFailed, "no TLS") {
            let server = try await RawServer.start(script: [.send("HTTP/1.1 400 /a\($0)\r\n\r\n"), .readToEnd])
            _ = try await client.get("https://127.0.0.1:\(server.port)/a\($0)")
        },
        Failure(.connectionClosed, "no response", answered(raw: "")),
        Failure(.connectionClosed, "a short body", answered(raw: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")),
        Failure(.malformedResponse, "no HTTP", answered(raw: "GET /a\(query) HTTP/1.1\r\n\r\n")),
        Failure(.malformedResponse, "a malformed field", answered(raw: "HTTP/1.1 200 OK\r\n/a\(query) : x\r\n\r\n")),
        Failure(
            .malformedResponse, "an invalid length",
            answered(raw: "HTTP/1.1 200 OK\r\nContent-Length: \(query)\r\n\r\n")),
        Failure(
            .badContentCoding, "a damaged coding",
            answered(raw: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc")),
        Failure(
            .limitExceeded, "a limit",
            answered({ .ok($0.target) }, { _ = try await $0.get($1).bytes(upTo: 3) })),
        Failure(
            .upgradeRefused, "a refused upgrade",
            answered({ .ok($0.target) }, { _ = try await $0.upgrade(OutgoingRequest(url: $1), to: "x") })),
        Failure(
            .redirectLoop, "a loop of redirects",
            answered({ .redirect(to: $0.target) }, { _ = try await $0.get($1) })),
        Failure(
            .redirectRefused, "a refused redirect",
            answered(
                { .redirect(to: "ftp://a.test\($0.target)") }, { _ = try await $0.get($1) })),
    ]

    private static let after = [
        Failure(
            .unacceptableStatus, "a status",
            answered({ .text($0.target, status: 404) }, { _ = try await $0.get($1, as: .text) })),
        Failure(
            .unacceptableContentType, "a type",
            answered({ .ok($0.target) }, { _ = try await $0.get($1, as: [Int].self) })),
        Failure(
            .decodingFailed, "what is no JSON",
            answered({ .json(["a": $0.target]) }, { _ = try await $0.get($1, as: [Int].self) })),
        Failure(
            .decodingFailed, "a serializer",
            answered({ .ok($0.target) }, { _ = try await $0.get($1, as: failing) })),
        Failure(
            .sinkFailed, "a sink",
            answered({ .ok($0.target) }, { try await $0.get($1).body.write { _ in throw Refusal() } })),
        Failure(
            .checksumMismatch, "a checksum",
            answered({ .ok($0.target) }) { client, url in
                let wrong = try Checksum.sha256(String(repeating: "0", count: 64))
                let folder = try TemporaryFolder()
                _ = try await client.download(url, to: .file(folder("a")), options: .checksum(wrong)).value
            }),
    ]

    @Test("no text of an error shows a secret of the URL's query", arguments: before + during + after)
    func texts(failure: Failure) async throws {
        let error = try #require(
            await #expect(throws: SockeyeError.self) { try await failure.provoke(Self.query) })
        #expect(error.code == failure.code)
        var texts = [error.message, error.url ?? "", error.localizedDescription, "\(error.history)"]
        var cause: (any Error)? = error
        while let found = cause {
            var dumped = ""
            dump(found, to: &dumped)
            texts += ["\(found)", String(reflecting: found), dumped]
            cause = (found as? SockeyeError)?.underlying
        }
        for text in texts { #expect(!text.contains(Self.secret), "\(text)") }
        if let url = error.url { #expect(url.contains("page=1") && url.contains("token=***"), "\(url)") }
    }
}
