import Sockeye
import Testing

@testable import SockeyeTesting

@Suite("The list of recorded exchanges for a replay")
struct ReplayListTests {
    private func exchange(_ line: String, body: String = "", status: Int = 200) -> RecordedExchange {
        var exchange = RecordedExchange(request: request(line, body: body))
        exchange.response = .init(head: .init(status: status))
        return exchange
    }

    private func request(_ line: String, body: String = "", headers: Headers = [:]) -> RecordedExchange.Request {
        let words = line.split(separator: " ")
        return .init(method: String(words[0]), url: "http://h\(words[1])", headers: headers, body: Bytes(body))
    }

    private func list(_ order: RecordedTransport.Matching.Order) -> ReplayList {
        ReplayList(
            [exchange("GET /a", status: 201), exchange("GET /b", status: 202), exchange("GET /a", status: 203)],
            RecordedTransport.Matching(order: order))
    }

    @Test(
        "the list gives exchanges in loose, strict or repeating order",
        arguments: [
            (.loose, ["/b", "/a", "/a", "/a"], [202, 201, 203, nil]),
            (.strict, ["/a", "/b", "/a", "/a"], [201, 202, 203, nil]), (.strict, ["/b", "/a"], [nil, 201]),
            (.repeating, ["/a", "/a", "/a", "/b", "/b", "/c"], [201, 203, 203, 202, 202, nil]),
        ] as [(RecordedTransport.Matching.Order, [String], [Int?])])
    func orders(order: RecordedTransport.Matching.Order, paths: [String], statuses: [Int?]) {
        var list = list(order)
        #expect(paths.map { list.take(request("GET \($0)"))?.response?.head.status } == statuses)
    }

    @Test(
        "query items and JSON are compared by value, and other bodies byte by byte",
        arguments: [
            ("GET /a?x=1&y=a%20b", "", "GET /a?y=a+b&x=1", "", true), ("GET /a?x=1", "", "GET /a", "", false),
            ("GET /a?x=1", "", "GET /a?x=1&x=1", "", false), ("GET /a?x=1&x=1&y", "", "GET /a?x=1&y&y", "", false),
            ("GET /a?x=1&x=2&x=1", "", "GET /a?x=2&x=1&x=1", "", true),
            ("GET /a?x=1&t=1", "", "GET /a?t=2&x=1", "", true), ("GET /a", "", "HEAD /a", "", false),
            ("POST /a", #"{"a":1,"b":2}"#, "POST /a", #"{ "b": 2, "a": 1.0 }"#, true),
            ("POST /a", #"{"a":1}"#, "POST /a", #"{"a":2}"#, false), ("POST /a", "x", "POST /a", "y", false),
            ("POST /a", "\u{E9}", "POST /a", "e\u{301}", false), ("GET /a?x=%C3%A9", "", "GET /a?x=e%CC%81", "", false),
        ])
    func matching(one: String, body: String, other: String, otherBody: String, matches: Bool) {
        var matching = RecordedTransport.Matching()
        matching.ignoredQueryItems = ["t"]
        var list = ReplayList([exchange(one, body: body)], matching)
        #expect((list.take(request(other, body: otherBody)) != nil) == matches)
        matching.comparesBodies = false
        var unread = ReplayList([exchange(one, body: body)], matching)
        #expect(
            (unread.take(request(other, body: otherBody)) != nil)
                == (matches || !body.utf8.elementsEqual(otherBody.utf8)))
    }

    @Test("query items are split, decoded and sorted by their bytes")
    func queryItems() {
        let (one, other) = (QueryItems("x=%C3%A9&x=e%CC%81"), QueryItems("x=e%CC%81&x=%C3%A9"))
        #expect(one.sorted == other.sorted)
        let marked = QueryItems("a=\u{301}b&\u{301}c=1+2")
        #expect(marked.values(of: "a") == ["\u{301}b"] && marked.values(of: "\u{301}c") == ["1 2"])
    }

    @Test("only fields that are named are compared, byte by byte")
    func fields() {
        let recorded = RecordedExchange(
            request: request("GET /a", headers: ["Range": "bytes=0-1"]), response: .init(head: .init(status: 200)))
        var named = ReplayList([recorded], .init(fields: ["range"]))
        #expect(named.take(request("GET /a")) == nil)
        #expect(named.refusal(of: request("GET /a")).contains("range: - bytes=0-1\n    + (none)"))
        #expect(named.take(request("GET /a", headers: ["Range": "bytes=0-1"])) != nil)
        let accented = RecordedExchange(request: request("GET /a", headers: ["X": "\u{E9}"]))
        var bytes = ReplayList([accented], .init(fields: ["x"]))
        #expect(bytes.take(request("GET /a", headers: ["X": "e\u{301}"])) == nil)
        #expect(bytes.take(request("GET /a", headers: ["X": "\u{E9}"])) != nil)
        var unnamed = ReplayList([recorded], .init())
        #expect(unnamed.take(request("GET /a")) != nil)
    }

    @Test(
        "the refusal of a request shows how it differs from the closest exchange, or in strict order from the next one")
    func refusals() {
        let exchanges = [
            exchange("GET /users?page=1"), exchange("POST /users", body: #"{"name":"Ada"}"#),
            exchange("PUT /note", body: "a\nb\nc"),
        ]
        let loose = ReplayList(exchanges, .init())
        #expect(
            loose.refusal(of: request("POST /users", body: #"{"name":"Bob"}"#)) == """
                no recorded exchange for POST http://h/users; the closest, number 2, differs (- recorded, + requested):
                  body: .name: "Ada" expected, got "Bob"
                """)
        #expect(
            loose.refusal(of: request("PUT /note", body: "a\nB\nc")) == """
                no recorded exchange for PUT http://h/note; the closest, number 3, differs (- recorded, + requested):
                  body: from line 2:
                  body: - b
                  body: + B
                """)
        #expect(
            ReplayList(exchanges, .init(order: .strict)).refusal(of: request("GET /users?page=2")) == """
                no recorded exchange for GET http://h/users?page=2; the next one, number 1, differs (- recorded, + requested):
                  query: - page=1
                  query: + page=2
                """)
        var used = ReplayList([exchange("GET /a")], .init())
        _ = used.take(request("GET /a"))
        #expect(
            used.refusal(of: request("GET /a"))
                == "all 1 recorded exchanges were used, including the one that matches; "
                + "none is left for GET http://h/a")
    }
}
