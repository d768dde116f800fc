import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// RFC 9110 10.1.1, beyond the acceptance scenario upload-09.
@Suite("Expect: 100-continue", .timeLimit(.minutes(1)))
struct ExpectRuleTests {
    private static let ok: RawStep = .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    private static let refusal: RawStep = .send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n")
    private let client = HTTPClient()

    private func expecting(_ limit: Duration) -> OutgoingRequest.Options {
        var options = OutgoingRequest.Options()
        options.expectContinue = limit
        return options
    }

    /// A body that can be produced once, which records the requests for its content.
    private func oneShot(_ asked: Recorder<Int>) -> OutgoingRequest.Body {
        .stream(
            AsyncStream<[UInt8]>(unfolding: {
                asked.append(1)
                return asked.values.count == 1 ? Array("content".utf8) : nil
            }), length: 7)
    }

    @Test("no expectation is sent without content", arguments: ["GET", "POST"])
    func withoutContent(method: String) async throws {
        let method = try #require(HTTPRequest.Method(method))
        let server = try await RawServer.start(script: [.readRequest, Self.ok])
        let headers: Headers = [.expect: "100-continue"]
        let response = try await client.request(
            method, server.url(), .bytes([]), headers: headers, options: expecting(.seconds(20)))
        #expect(try await response.text() == "ok")
        #expect(!server.receivedText().lowercased().contains("expect"))
    }

    @Test("an Expect field of the caller makes the body wait, for up to a second")
    func asField() async throws {
        let server = try await RawServer.start(script: [.readRequestHead, .readBytes(7), Self.ok])
        let clock = ContinuousClock()
        let start = clock.now
        let headers: Headers = [.expect: "100-continue"]
        #expect(try await client.post(server.url(), .body("content"), headers: headers).text() == "ok")
        #expect(clock.now - start >= .milliseconds(900))
        #expect(server.receivedText().lowercased().ranges(of: "expect: 100-continue\r\n").count == 1)
    }

    @Test("after 417 an unread one-shot body is sent without an expectation")
    func refusedOneShot() async throws {
        let server = try await RawServer.start(scripts: [
            [.readRequestHead, Self.refusal, .readToEnd], [.readRequest, Self.ok, .readToEnd],
        ])
        let asked = Recorder<Int>()
        let response = try await client.post(server.url(), .body(oneShot(asked)), options: expecting(.seconds(20)))
        #expect(try await response.text() == "ok")
        #expect(server.receivedText(0).hasSuffix("\r\n\r\n"))
        #expect(server.receivedText(1).hasSuffix("\r\n\r\ncontent"))
        #expect(!server.receivedText(1).lowercased().contains("expect"))
        try await server.wait { $0.connections == 2 && $0.openConnections == 1 }
    }

    @Test("after a 417 that follows the body, a replayable body is sent again; for a one-shot body it is returned")
    func refusedLate() async throws {
        let late: [RawStep] = [.readRequestHead, .readBytes(7), Self.refusal, .readToEnd]
        let again = try await RawServer.start(scripts: [late, [.readRequest, Self.ok, .readToEnd]])
        let options = expecting(.milliseconds(50))
        #expect(try await client.post(again.url(), .body("content"), options: options).text() == "ok")
        #expect(!again.receivedText(1).lowercased().contains("expect"))
        let once = try await RawServer.start(script: late)
        let response = try await client.post(once.url(), .body(oneShot(Recorder())), options: options)
        #expect(response.status.code == 417)
        #expect(once.connectionCount == 1)
    }

    @Test(
        "if a challenge arrives before the body is sent, the second request sends the unread stream",
        arguments: ["credentials", "bearer"])
    func challenged(kind: String) async throws {
        let challenge: RawStep = .send(
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=a\r\nContent-Length: 0\r\n\r\n")
        let server = try await RawServer.start(scripts: [
            [.readRequestHead, challenge, .readToEnd],
            [.readRequestHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .readBytes(7), Self.ok, .readToEnd],
        ])
        let storage = Credential.Storage()
        try storage.set(.user("ada", password: "l"), for: server.url())
        let policy =
            kind == "bearer"
            ? AuthenticationPolicy.bearer { AuthenticationPolicy.Token("token") }
            : AuthenticationPolicy.credentials(storage)
        let asked = Recorder<Int>()
        let response = try await client.adding(policy).post(
            server.url(), .body(oneShot(asked)), options: expecting(.seconds(20)))
        #expect(try await response.text() == "ok")
        #expect(response.history.map(\.reason) == [.challenged])
        #expect(server.receivedText(1).contains("Authorization: \(kind == "bearer" ? "Bearer" : "Basic")"))
        #expect(server.receivedText(1).hasSuffix("content"))
        await server.stop()
    }

    @Test("a stream is not read if its request is refused before the body, and a later call can send it")
    func unread() async throws {
        let server = try await RawServer.start(scripts: [
            [.readRequestHead, .send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"), .readToEnd],
            [.readRequest, Self.ok, .readToEnd],
        ])
        let asked = Recorder<Int>()
        let body = oneShot(asked)
        let refused = try await client.post(server.url(), .body(body), options: expecting(.seconds(20)))
        #expect(refused.status == .unauthorized && asked.values.isEmpty)
        #expect(try await client.post(server.url(), .body(body)).text() == "ok")
        let error = await #expect(throws: SockeyeError.self) { try await client.post(server.url(), .body(body)) }
        #expect(error?.code == .bodyConsumed)
        #expect(server.connectionCount == 2)
        await server.stop()
    }

    @Test("a 417 to the repeated request, which has no expectation, is returned")
    func refusedTwice() async throws {
        let server = try await RawServer.start(script: [.readRequest, Self.refusal, .readToEnd])
        let response = try await client.post(server.url(), .body("content"), options: expecting(.milliseconds(50)))
        #expect(response.status.code == 417)
        #expect(server.connectionCount == 2)
    }
}
