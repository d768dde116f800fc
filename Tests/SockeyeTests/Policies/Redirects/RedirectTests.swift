import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Redirects", .timeLimit(.minutes(1))) struct RedirectTests {
    private let mock = MockTransport()
    private var client: HTTPClient { HTTPClient(transport: mock) }
    private let url = "https://a.example/start"

    private func redirect(_ status: Int, to location: String) -> TestServerResponse {
        .redirect(to: location, status: status)
    }

    @Test("redirects are followed by default, and the response has their history")
    func followed() async throws {
        mock.enqueue(redirect(302, to: "next"), redirect(307, to: "https://b.example/end"), .ok("arrived"))
        let response = try await client.get(url + "#part")
        #expect(try await response.text() == "arrived")
        #expect(response.url.description == "https://b.example/end#part")
        #expect(response.history.map(\.status?.code) == [302, 307])
        #expect(
            response.history.map(\.url.description) == ["https://a.example/start#part", "https://a.example/next#part"])
        #expect(response.history.allSatisfy { $0.reason == .redirected && $0.duration >= .zero })
        #expect(response.history[0].headers?[.location] == "next")
        #expect("\(response.history[0])" == "GET https://a.example/start#part: 302, redirected")
    }

    @Test("redirects are returned if the call, the scope or the client says so")
    func manual() async throws {
        let answer = redirect(302, to: "/next")
        mock.answer(nil, "/*") { _ in answer }
        let configured = HTTPClient(transport: mock, interceptors: [RedirectPolicy.manual])
        #expect(try await configured.get(url).status == .found)
        #expect(try await client.adding(.redirects(.manual)).get(url).status == .found)
        #expect(try await client.get(url, options: .intercepting(.redirects(.manual))).status == .found)
        #expect(try await client.get(url, options: .skipping(.redirects)).status == .found)
        #expect(try await client.removing(.redirects).get(url).status == .found)
        #expect(mock.requests.count == 5)
    }

    @Test("the redirect policy of the call overrides the client's")
    func precedence() async throws {
        mock.enqueue(redirect(302, to: "/next"), .ok("followed"))
        let manual = client.adding(.redirects(.manual))
        #expect(try await manual.get(url, options: .intercepting(.redirects(.following))).text() == "followed")
    }

    @Test("307 and 308 keep a POST, and other redirects change it to a GET", arguments: [301, 302, 303, 307, 308])
    func content(status: Int) async throws {
        mock.enqueue(redirect(status, to: "/next"), .ok())
        let headers: Headers = [.contentType: "text/plain", "Content-Language": "en", "X-Other": "1"]
        _ = try await client.post(url, .body("content"), headers: headers)
        let next = mock.requests[1]
        let keeps = status >= 307
        #expect(next.method == (keeps ? .post : .get))
        #expect(next.text == (keeps ? "content" : ""))
        #expect(next[.contentType] == (keeps ? "text/plain" : nil))
        #expect(next["Content-Language"] == (keeps ? "en" : nil))
        #expect(next["X-Other"] == "1")
    }

    @Test("a 307 to a request with a one-shot body is returned; with a replayable body it is followed")
    func replay() async throws {
        let answer = redirect(307, to: "/next")
        mock.answer(nil, "/start") { _ in answer }
        mock.answer(nil, "/next") { .ok($0.text) }
        let once = AsyncStream<[UInt8]> { continuation in
            continuation.yield(Array("once".utf8))
            continuation.finish()
        }
        #expect(try await client.put(url, .stream(once)).status == .temporaryRedirect)
        #expect(mock.requests.count == 1)
        let anew = OutgoingRequest.Body.stream(makingEach: {
            AsyncStream<[UInt8]> { continuation in
                continuation.yield(Array("anew".utf8))
                continuation.finish()
            }
        })
        #expect(try await client.put(url, .body(anew)).text() == "anew")
    }

    @Test("a redirect without Location and other 3xx are returned", arguments: [300, 301, 304, 305, 306, 310])
    func answers(status: Int) async throws {
        let headers: Headers = status == 301 ? [:] : [.location: "/next"]
        mock.enqueue(.status(status, headers: headers))
        #expect(try await client.get(url).status.code == status)
    }

    @Test(
        "a redirect that cannot be followed fails the call, with the response as evidence",
        arguments: [
            ("ftp://a.example/", SockeyeError.Code.redirectRefused), ("http://a.example/", .redirectRefused),
            ("https://[::1", .redirectRefused), ("/start", .redirectLoop), ("//", .redirectRefused),
        ])
    func refused(location: String, code: SockeyeError.Code) async throws {
        mock.answer(nil, "/*") { _ in .text("moved", status: 302, headers: [.location: location]) }
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == code)
        #expect(error?.response?.status == .found)
        #expect(error?.response.map { String(decoding: $0.body, as: UTF8.self) } == "moved")
        #expect(error?.url == url)
    }

    @Test("after ten redirects the next one fails the call, and the error has their history")
    func limit() async throws {
        mock.answer(nil, "/*") { request in
            .status(302, headers: [.location: "/\((Int(request.path.dropFirst()) ?? 0) + 1)"])
        }
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.limit?.configured == "10")
        #expect(error?.history.count == 10)
        #expect(mock.requests.count == 11)
    }

    @Test("the closure `decide` can rewrite, stop, refuse or fail a redirect")
    func hook() async throws {
        let answer = redirect(302, to: "https://b.example/next")
        mock.answer(nil, "/start") { _ in answer }
        mock.answer(nil, "/other") { .ok($0["Authorization"] ?? "none") }
        let rewriting = client.adding(
            .redirects(
                .following { proposal in
                    #expect(proposal.leavesOrigin && proposal.count == 0 && proposal.status == .found)
                    #expect(proposal.request.url.description == "https://b.example/next")
                    var request = proposal.request
                    request.url = try HTTPURL("https://b.example/other")
                    request.headers[.authorization] = "for b"
                    return .follow(request)
                }))
        #expect(try await rewriting.get(url, headers: [.authorization: "for a"]).text() == "for b")
        let stopping = client.adding(.redirects(.following { _ in .stop }))
        #expect(try await stopping.get(url).status == .found)
        let refusing = client.adding(.redirects(.following { _ in .refuse }))
        #expect(await #expect(throws: SockeyeError.self) { try await refusing.get(url) }?.code == .redirectRefused)
        let failing = client.adding(.redirects(.following { _ in throw CancellationError() }))
        #expect(await #expect(throws: SockeyeError.self) { try await failing.get(url) }?.code == .cancelled)
    }

    @Test("no description or dump of responses and proposals shows fields")
    func discretion() async throws {
        let secret: Headers = [.location: "/next", "Set-Cookie": "id=t0ken"]
        mock.enqueue(.status(302, headers: secret), .ok(headers: secret))
        let texts = Recorder<String>()
        let response = try await client.adding(
            .redirects(
                .following { proposal in
                    var dumped = "\(proposal)"
                    dump(proposal, to: &dumped)
                    texts.append(dumped)
                    return .follow(proposal.request)
                })
        ).get(url)
        var dumped = "\(response)"
        dump(response, to: &dumped)
        texts.append(dumped)
        #expect(texts.values.count == 2)
        #expect(texts.values.allSatisfy { !$0.contains("t0ken") && $0.contains("a.example/next") })
    }
}
