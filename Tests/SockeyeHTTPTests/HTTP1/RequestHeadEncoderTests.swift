import SockeyeHTTP
import Testing

@Suite struct RequestHeadEncoderTests {
    private func head(
        _ method: String = "GET",
        _ target: String = "/",
        authority: String = "a.example",
        headers: Headers = [:],
        body: RequestFraming = .none
    ) -> RequestHead {
        RequestHead(
            method: method, target: .text(target: target[...].utf8, authority: authority[...].utf8),
            headers: headers, body: body
        )
    }

    private func text(_ head: borrowing RequestHead, defaults: Headers = [:]) throws(RequestFault) -> String {
        String(decoding: try RequestHeadEncoder.encode(head, defaults: DefaultFields(defaults)), as: UTF8.self)
    }

    @Test("the encoder writes the request line, Host, the caller's fields, then the missing defaults")
    func order() throws {
        let head = head(
            "GET", "/p?q", headers: ["X-B": "1", "accept": "a", "x-b": "2"]
        )
        #expect(
            try text(head, defaults: ["User-Agent": "s", "Accept": "*/*"]) == """
                GET /p?q HTTP/1.1\r\nHost: a.example\r\nX-B: 1\r\naccept: a\r\nx-b: 2\r\nUser-Agent: s\r\n\r\n
                """
        )
    }

    @Test(
        "no accepted URL puts a delimiter into the request target or Host, which the encoder copies unchecked",
        arguments: URLPlace.allCases)
    func targetsOfURLs(place: URLPlace) throws {
        var sent = 0
        for scalar in (0..<0x300).compactMap(Unicode.Scalar.init) {
            guard let url = try? HTTPURL(place.url(with: Character(scalar))) else { continue }
            let lines = try text(RequestHead(method: "GET", target: .url(url))).split(separator: "\r\n")
            let (requestLine, host) = (try #require(lines.first).utf8, try #require(lines.dropFirst().first).utf8)
            let parts = requestLine.split(separator: 0x20, omittingEmptySubsequences: false)
            #expect(parts.count == 3 && parts[1].allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
            #expect(parts[1].first == UInt8(ascii: "/"))
            let delimiters = " /?#@\t".utf8
            #expect(host.starts(with: "Host: ".utf8))
            #expect(host.dropFirst(6).allSatisfy { (0x21...0x7E).contains($0) && !delimiters.contains($0) })
            sent += 1
        }
        #expect(sent > 30)
    }

    enum URLPlace: String, CaseIterable {
        case host, path, pathStart, query, fragment

        func url(with character: Character) -> String {
            switch self {
            case .host: "http://a\(character)b.example:81/"
            case .path: "http://a.example/a\(character)b"
            case .pathStart: "http://a.example/\(character)"
            case .query: "http://a.example/?\(character)"
            case .fragment: "http://a.example/#\(character)"
            }
        }
    }

    @Test("the encoder sends every default that the request lacks, and target and host of the URL")
    func allDefaults() throws {
        let url = try #require(try? HTTPURL("http://a.example:81/p?q#f"))
        let head = RequestHead(method: "GET", target: .url(url), headers: ["X-A": "1"])
        #expect(
            try text(head, defaults: ["User-Agent": "s", "Accept": "*/*"]) == """
                GET /p?q HTTP/1.1\r\nHost: a.example:81\r\nX-A: 1\r\nUser-Agent: s\r\nAccept: */*\r\n\r\n
                """
        )
    }

    /// RFC 9110 8.6 and 9.3.8.
    @Test(
        "method and length decide how the encoder announces the body",
        arguments: [
            ("GET", RequestFraming.none, ""), ("GET", .length(0), ""), ("HEAD", .none, ""), ("DELETE", .length(0), ""),
            ("OPTIONS", .none, ""), ("TRACE", .length(0), ""), ("PURGE", .none, ""), ("post", .none, ""),
            ("POST", .none, "Content-Length: 0\r\n"), ("PUT", .length(0), "Content-Length: 0\r\n"),
            ("PATCH", .none, "Content-Length: 0\r\n"), ("GET", .length(7), "Content-Length: 7\r\n"),
            ("POST", .length(1_234_567_890), "Content-Length: 1234567890\r\n"),
            ("PUT", .length(.max), "Content-Length: 9223372036854775807\r\n"),
            ("POST", .chunked, "Transfer-Encoding: chunked\r\n"),
            ("DELETE", .chunked, "Transfer-Encoding: chunked\r\n"),
        ])
    func framing(method: String, body: RequestFraming, expected: String) throws {
        #expect(try text(head(method, body: body)) == "\(method) / HTTP/1.1\r\nHost: a.example\r\n\(expected)\r\n")
    }

    @Test("the encoder refuses a body with TRACE or CONNECT, and a body of negative length")
    func noBody() {
        #expect(throws: RequestFault.bodyNotAllowed) { try text(head("TRACE", body: .length(1))) }
        #expect(throws: RequestFault.bodyNotAllowed) { try text(head("TRACE", body: .chunked)) }
        #expect(throws: RequestFault.bodyNotAllowed) { try text(head("CONNECT", "a:1", body: .length(1))) }
        #expect(throws: RequestFault.invalidLength) { try text(head("POST", body: .length(-1))) }
    }

    /// RFC 9112 6.1 and 6.2, RFC 9110 7.6.1.
    @Test(
        "the encoder leaves out fields that belong to the connection and the framing",
        arguments: [
            "Content-Length", "content-length", "Transfer-Encoding", "TRANSFER-ENCODING", "Connection", "Keep-Alive",
            "TE",
            "te", "Upgrade", "Proxy-Connection", "Expect",
        ])
    func ownedFields(name: String) throws {
        let owned = head(
            "POST", headers: [Headers.Name(name): "5", "A": "b"], body: .length(3))
        #expect(
            try text(owned, defaults: [Headers.Name(name): "6"])
                == "POST / HTTP/1.1\r\nHost: a.example\r\nA: b\r\nContent-Length: 3\r\n\r\n")
    }

    @Test("the encoder sends Trailer")
    func trailer() throws {
        #expect(try text(head(headers: [.trailer: "X-Sum"])).contains("\r\nTrailer: X-Sum\r\n"))
    }

    @Test("the encoder sends close, upgrade and expectation if the head has them")
    func options() throws {
        var head = head("POST", body: .length(1))
        head.closesConnection = true
        head.expectsContinue = true
        #expect(try text(head).hasSuffix("Connection: close\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n"))
        head.upgrade = "websocket, h2c/1"
        #expect(try text(head).contains("\r\nConnection: upgrade, close\r\nUpgrade: websocket, h2c/1\r\n"))
        head.closesConnection = false
        #expect(try text(head).contains("\r\nConnection: upgrade\r\n"))
        head.body = .none
        #expect(try !text(head).contains("Expect"))
    }

    /// RFC 9112 3.2.
    @Test("the encoder sends exactly one Host, the caller's if there is one")
    func host() throws {
        #expect(try text(head(headers: ["A": "b", "hOST": "x:8"])) == "GET / HTTP/1.1\r\nHost: x:8\r\nA: b\r\n\r\n")
        #expect(try text(head(authority: "[::1]:80")).contains("\r\nHost: [::1]:80\r\n"))
        #expect(throws: RequestFault.repeatedField(.host)) { try text(head(headers: ["Host": "x", "host": "x"])) }
    }

    /// RFC 9110 5.1 and 5.5.
    @Test(
        "the encoder refuses a malformed Host, from the caller's field and from the URL",
        arguments: [
            "", "a b", "a\r\nX: y", "a/b", "user@a", "a?b", "a#b", "\u{E9}.example", "a\u{0}", "a\\b", "a\t",
        ])
    func badHost(value: String) {
        #expect(throws: RequestFault.malformedFieldValue(.host)) { try text(head(headers: [.host: value])) }
        #expect(throws: RequestFault.invalidAuthority) { try text(head(authority: value)) }
    }

    /// RFC 9110 9.1.
    @Test(
        "the encoder refuses a method that is not a token",
        arguments: [
            "", "GE T", "GET ", "GET\r\n", "GET / HTTP/1.1\r\nX: y", "G\u{E9}T", "G(T", "GET\u{0}", "GET:",
        ])
    func badMethod(method: String) {
        #expect(throws: RequestFault.invalidMethod) { try text(head(method)) }
    }

    /// RFC 9112 3.2.
    @Test(
        "the encoder sends the four forms of a target",
        arguments: [
            ("GET", "/"), ("GET", "/a%20b?c=d/e?f"), ("GET", "//x"), ("OPTIONS", "*"), ("CONNECT", "a.example:443"),
            ("CONNECT", "[::1]:443"), ("GET", "http://a.example/"), ("GET", "https://a.example/b"),
            ("GET", "HTTP://a/"),
            ("GET", "/{|}\"<>\\^`"),
        ])
    func targets(method: String, target: String) throws {
        #expect(try text(head(method, target)).hasPrefix("\(method) \(target) HTTP/1.1\r\n"))
    }

    /// RFC 9112 3.2.
    @Test(
        "the encoder refuses a malformed target, and a target whose form does not suit the method",
        arguments: [
            ("GET", ""), ("GET", "a"), ("GET", "*"), ("OPTIONS", "*/"), ("GET", "/a b"), ("GET", "/a\r\nX: y"),
            ("GET", "/\t"),
            ("GET", "/\u{E9}"), ("GET", "/\u{0}"), ("GET", "/a#b"), ("GET", "/\u{7F}"), ("CONNECT", "/"),
            ("CONNECT", ""),
            ("CONNECT", "a b:1"), ("GET", "a.example:443"), ("GET", "http://"), ("GET", "ftp://a/"), ("GET", "?a"),
        ])
    func badTargets(method: String, target: String) {
        #expect(throws: RequestFault.invalidTarget) { try text(head(method, target)) }
    }

    /// RFC 9110 5.1 and 5.5.
    @Test(
        "the encoder refuses names that are not tokens and values with control bytes",
        arguments: [
            ("", "v", RequestFault.invalidFieldName("")), ("A B", "v", .invalidFieldName("A B")),
            ("A\r\nB", "v", .invalidFieldName("A\r\nB")), ("A:", "v", .invalidFieldName("A:")),
            ("\u{E9}", "v", .invalidFieldName("\u{E9}")), ("A", "a\r\nX: y", .invalidFieldValue("A")),
            ("A", "\n", .invalidFieldValue("A")), ("A", "a\r", .invalidFieldValue("A")),
            ("A", "0123456789\u{0}", .invalidFieldValue("A")), ("A", "\u{1}", .invalidFieldValue("A")),
            ("A", "12345678\u{7F}12345678", .invalidFieldValue("A")),
        ])
    func badFields(name: String, value: String, fault: RequestFault) {
        #expect(throws: fault) { try text(head(headers: [Headers.Name(name): value])) }
        #expect(throws: fault) { try text(head(), defaults: [Headers.Name(name): value]) }
    }

    @Test(
        "the encoder sends every value that RFC 9110 5.5 allows",
        arguments: ["", "a b\tc", "\u{E9}\u{1F600}", " a ", "a,b;c=\"d\""])
    func values(value: String) throws {
        #expect(try text(head(headers: ["A": value])).contains("\r\nA: \(value)\r\n"))
    }

    @Test(
        "the encoder sends the caller's `TE: trailers`, lists TE in Connection, and omits other transfer codings",
        arguments: [
            ("trailers", false, nil, "Connection: TE\r\nTE: trailers\r\n"),
            ("gzip, Trailers", false, nil, "Connection: TE\r\nTE: trailers\r\n"),
            ("trailers", true, nil, "Connection: TE, close\r\nTE: trailers\r\n"),
            ("trailers", true, "x", "Connection: upgrade, TE, close\r\nTE: trailers\r\nUpgrade: x\r\n"),
            ("gzip", false, nil, ""), ("", true, "x", "Connection: upgrade, close\r\nUpgrade: x\r\n"),
            ("xtrailers", false, nil, ""), ("trailers;q=0", false, nil, ""),
        ] as [(String, Bool, String?, String)])
    func trailers(value: String, closes: Bool, upgrade: String?, expected: String) throws {
        var head = head(headers: ["te": value, "A": "b"])
        head.closesConnection = closes
        head.upgrade = upgrade
        #expect(try text(head) == "GET / HTTP/1.1\r\nHost: a.example\r\nA: b\r\n\(expected)\r\n")
    }

    @Test("the fault of an empty Host names the cause")
    func emptyHost() {
        let fault = #expect(throws: RequestFault.self) { try text(head(headers: [.host: ""])) }
        #expect(fault?.description == "the value of the field Host is malformed or empty")
    }

    @Test("the encoder refuses an upgrade that is not a protocol", arguments: ["", "a\r\nb", "a\"", "a;b"])
    func badUpgrade(value: String) {
        var head = head()
        head.upgrade = value
        #expect(throws: RequestFault.malformedFieldValue(.upgrade)) { try text(head) }
    }

    @Test("the encoder asks for a larger buffer instead of overflowing a small one")
    func smallBuffer() throws {
        let head = head("POST", headers: ["A": "b"], body: .length(.max))
        let bound = RequestHeadEncoder.sizeBound(head)
        for size in [0, 1, bound - 1] {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
            defer { unsafe buffer.deallocate() }
            unsafe #expect(try RequestHeadEncoder.encode(head, into: buffer) == nil)
        }
        #expect(try RequestHeadEncoder.encode(head).count <= bound)
    }

    @Test("the size bound covers the largest set of the client's own fields")
    func bound() throws {
        var head = head(
            "POST", String(repeating: "/", count: 999), authority: String(repeating: "a", count: 255),
            body: .length(.max)
        )
        head.closesConnection = true
        head.expectsContinue = true
        head.upgrade = String(repeating: "u", count: 99)
        #expect(try RequestHeadEncoder.encode(head).count <= RequestHeadEncoder.sizeBound(head))
        head.body = .chunked
        #expect(try RequestHeadEncoder.encode(head).count <= RequestHeadEncoder.sizeBound(head))
    }

    @Test(
        "headers report if the caller's fields ask for close or 100-continue",
        arguments: [
            (["Connection": "close"], true, false), (["connection": "x, Close"], true, false),
            (["Connection": "keep-alive"], false, false), (["Expect": "100-Continue"], false, true),
            (["A": "close"], false, false), ([:], false, false),
        ] as [(Headers, Bool, Bool)])
    func wishes(headers: Headers, close: Bool, expects: Bool) {
        #expect(headers.asksToClose == close)
        #expect(headers.asksForContinue == expects)
    }

    @Test(
        "the description of a fault contains no value",
        arguments: [
            RequestFault.invalidMethod, .invalidTarget, .invalidAuthority, .invalidFieldName("A\r\n"),
            .invalidFieldValue("A"),
            .repeatedField("A"), .forbiddenTrailer("A"), .bodyNotAllowed, .invalidLength,
            .invalidContentLength, .invalidFieldName(Headers.Name(String(repeating: "\u{E9}", count: 100))),
        ])
    func descriptions(fault: RequestFault) {
        #expect(fault.description.contains(" "))
        #expect(!fault.description.contains("\r"))
    }
}
