import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyeTestSupport
import Testing

@testable import SockeyeEngine

@Suite("A prepared request") struct PreparedRequestTests {
    /// The head as it is sent.
    private func wire(_ request: borrowing PreparedRequest) throws -> String {
        let stream = try ScriptedStream("", poller: EventPoller.shared())
        _ = try HeadWrite.perform(request, adding: FieldLineBuffer(), body: Bytes(), to: stream).isComplete
        return String(decoding: stream.written, as: UTF8.self)
    }

    private func request(
        _ method: String = "GET", _ url: String = "http://a.test/", _ headers: Headers = [:],
        _ body: OutgoingRequest.Body = .none
    ) throws -> OutgoingRequest {
        try OutgoingRequest(method: #require(.init(rawValue: method)), url: url, headers: headers, body: body)
    }

    // MARK: Framing

    private typealias Body = OutgoingRequest.Body

    private static let framings: [(method: String, Headers, Body, RequestFraming)] = [
        ("GET", [:], .none, .none), ("POST", [:], .none, .none), ("POST", [:], "body", .length(4)),
        ("POST", [:], .writer(length: 7) { _ in }, .length(7)), ("POST", [:], .writer { _ in }, .chunked),
        ("POST", ["Content-Length": "9"], .writer { _ in }, .length(9)),
        ("POST", ["Content-Length": "9", "Transfer-Encoding": "chunked"], .writer { _ in }, .chunked),
        ("POST", ["Content-Length": "9"], Body.writer { _ in }.trailers { [:] }, .chunked),
        ("TRACE", [:], "", .none), ("CONNECT", [:], "", .none),
    ]

    @Test("the framing follows from the body, and from a length that the caller gives", arguments: framings.indices)
    func framing(index: Int) throws {
        let (method, headers, body, expected) = Self.framings[index]
        let framing = try EngineParts.prepared(request(method, "http://a.test/", headers, body)).framing
        #expect(framing == expected)
    }

    private static let refused: [(method: String, Headers, Body, RequestFault)] = [
        ("TRACE", [:], "body", .bodyNotAllowed), ("CONNECT", [:], "body", .bodyNotAllowed),
        ("POST", [:], .writer(length: -1) { _ in }, .invalidLength),
        ("POST", ["Content-Length": "-1"], .writer { _ in }, .invalidContentLength),
        ("POST", ["Content-Length": "1 0"], .writer { _ in }, .invalidContentLength),
        ("POST", ["Content-Length": "99999999999999999999"], .writer { _ in }, .invalidContentLength),
        ("POST", ["Content-Length": ""], .writer { _ in }, .invalidContentLength),
    ]

    @Test("a body that the method does not allow, and an invalid length, are refused", arguments: refused.indices)
    func refusedFraming(index: Int) throws {
        let (method, headers, body, fault) = Self.refused[index]
        let error = #expect(throws: SockeyeError.self) {
            _ = try EngineParts.prepared(request(method, "http://a.test/", headers, body)).framing
        }
        #expect(error?.underlying as? RequestFault == fault)
    }

    @Test("two Content-Length fields are refused")
    func repeatedLength() throws {
        var headers: Headers = ["Content-Length": "1"]
        headers.append(.contentLength, "1")
        let error = #expect(throws: SockeyeError.self) {
            _ = try EngineParts.prepared(request("POST", "http://a.test/", headers, .writer { _ in })).framing
        }
        #expect(error?.underlying as? RequestFault == .invalidContentLength)
    }

    // MARK: Credentials of the URL

    @Test("user name and password of the URL are sent over TLS or to this machine, unless the caller has credentials")
    func credentials() throws {
        let rows: [(url: String, Headers, isAllowed: Bool, authorization: String?)] = [
            ("https://a:b@x.test/", [:], false, "Basic YTpi"), ("http://a:b@127.0.0.1/", [:], false, "Basic YTpi"),
            ("http://a:b@x.test/", [:], true, "Basic YTpi"), ("https://a@x.test/", [:], false, "Basic YTo="),
            ("http://a:b@x.test/", ["Authorization": "Own"], false, "Own"), ("https://x.test/", [:], false, nil),
        ]
        for (url, headers, isAllowed, authorization) in rows {
            var configuration = EngineConfiguration()
            configuration.allowsPlaintextCredentials = isAllowed
            let head = try wire(EngineParts.prepared(request("GET", url, headers), configuration: configuration))
            #expect(head.contains("Authorization: ") == (authorization != nil) && !head.contains("a:b@"))
            if let authorization { #expect(head.contains("\r\nAuthorization: \(authorization)\r\n")) }
        }
        let error = #expect(throws: SockeyeError.self) {
            _ = try EngineParts.prepared(request("GET", "http://a:b@x.test/")).framing
        }
        #expect(error?.code == .insecureCredentials)
    }

    // MARK: Expectation

    @Test("only a request with a body waits for a 100: as long as the option says, or a second for an Expect field")
    func expectation() throws {
        let rows: [(Body, Headers, option: Duration?, Duration?)] = [
            ("body", [:], nil, nil), ("body", [:], .seconds(3), .seconds(3)),
            ("body", ["Expect": "100-continue"], nil, .seconds(1)),
            ("body", ["Expect": "100-continue"], .seconds(3), .seconds(3)), (.none, [:], .seconds(3), nil),
            (.none, ["Expect": "100-continue"], nil, nil), (.writer { _ in }, [:], .seconds(3), .seconds(3)),
        ]
        for (body, headers, option, expected) in rows {
            var request = try request("POST", "http://a.test/", headers, body)
            request.options.expectContinue = option
            let prepared = try EngineParts.prepared(request)
            let (wait, expects) = (prepared.expectContinue, prepared.facts.expectsContinue)
            #expect(wait == expected && expects == (expected != nil))
            let fields = try wire(prepared).ranges(of: "Expect: 100-continue").count
            #expect(fields == (expected == nil ? 0 : 1))
        }
    }

    @Test("the copy without the expectation differs only in the Expect field")
    func withoutExpectation() throws {
        var request = try request("POST", "http://a.test/x", ["X-A": "b"], "body")
        request.options.expectContinue = .seconds(3)
        let prepared = try EngineParts.prepared(request)
        let copy = PreparedRequest(withoutExpectation: prepared)
        let (before, after) = (try wire(prepared), try wire(copy))
        #expect(after == before.replacing("Expect: 100-continue\r\n", with: ""))
        #expect(before != after && copy.framing == .length(4) && copy.headSizeBound >= after.utf8.count)
    }

    @Test("the answer to a proxy's challenge replaces an earlier one")
    func proxyAuthorization() throws {
        let first = try PreparedRequest(
            request().parts, proxy: Proxy("http://proxy.test:8080"), proxyAuthorization: "One",
            configuration: SharedConfiguration(EngineConfiguration()), time: .system)
        let second = PreparedRequest(first, proxyAuthorization: "Two")
        #expect(try wire(first).contains("\r\nProxy-Authorization: One\r\n"))
        let head = try wire(second)
        #expect(head.contains("\r\nProxy-Authorization: Two\r\n") && !head.contains("One"))
    }

    // MARK: The head

    @Test("the size bound holds for every kind of head")
    func sizeBound() throws {
        let long = String(repeating: "x", count: 5000)
        let bodies: [Body] = [.none, "body", .writer(length: .max) { _ in }, .writer { _ in }]
        for (url, headers) in [
            ("http://a.test", [:]), ("https://a:b@a.test:8443/\(long)?q", ["X-A": long]),
            ("http://[::1]:1/", ["Host": "other", "User-Agent": "u", "Accept": "a", "Accept-Encoding": "gzip"]),
        ] as [(String, Headers)] {
            for body in bodies {
                for method in ["GET", "POST", "PROPFIND"] {
                    var request = try request(method, url, headers, body)
                    request.options.expectContinue = .seconds(1)
                    request.options.closesConnection = true
                    request.options.upgrade = long
                    let prepared = try EngineParts.prepared(request)
                    let bound = prepared.headSizeBound
                    #expect(try wire(prepared).utf8.count <= bound)
                }
            }
        }
    }

    @Test("the client asks for codings and undoes them unless the caller sets Accept-Encoding or Range")
    func codings() throws {
        let rows: [(Headers, isAsked: Bool, decompresses: Bool)] = [
            ([:], true, true), (["X-A": "b"], true, true), (["Accept-Encoding": "gzip"], true, false),
            (["Range": "bytes=0-1"], false, false),
        ]
        for (headers, isAsked, decompresses) in rows {
            let prepared = try EngineParts.prepared(request("GET", "http://a.test/", headers))
            let undoes = prepared.decompresses
            #expect(undoes == decompresses)
            #expect(try wire(prepared).contains("Accept-Encoding: ") == isAsked)
        }
    }

    // MARK: Facts

    @Test("a request is repeatable if it is idempotent by its method or its caller, and its body can be sent again")
    func repeatable() throws {
        let once = Body.stream(AsyncStream<Bytes> { $0.finish() })
        let rows: [(method: String, Headers, Body, declared: Bool?, Bool)] = [
            ("GET", [:], .none, nil, true), ("PUT", [:], "body", nil, true), ("POST", [:], "body", nil, false),
            ("POST", [:], "body", true, true), ("GET", [:], .none, false, false), ("PUT", [:], once, nil, false),
            ("POST", ["Idempotency-Key": "7"], "body", nil, true), ("get", [:], .none, nil, false),
        ]
        for (method, headers, body, declared, expected) in rows {
            var request = try request(method, "http://a.test/", headers, body)
            request.options.isIdempotent = declared
            let isRepeatable = try EngineParts.prepared(request).isRepeatable
            #expect(isRepeatable == expected, "\(method)")
        }
    }

    @Test("the deadline of the attempt applies up to the head, and that of the call afterwards")
    func deadlines() throws {
        let time = ManualTime()
        var request = try request()
        request.options.timeouts = Timeouts(total: .seconds(30))
        request.options.attemptTimeout = .seconds(5)
        let deadlines = try EngineParts.prepared(request, time: TimeSource(manual: time)).deadlines
        #expect(deadlines.total == time.now.advanced(by: .seconds(5)))
        #expect(deadlines.afterHead.total == time.now.advanced(by: .seconds(30)))
        time.advance(by: .seconds(5))
        #expect(deadlines.exceeded(in: .head)?.limit?.name == "timeouts.attempt")
        #expect(deadlines.afterHead.exceeded(in: .body) == nil)
    }
}
