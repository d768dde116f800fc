import Sockeye
import Testing

@testable import SockeyeToolKit

@Suite("Requests from command lines")
struct RequestTests {
    @Test(
        arguments: [
            ("a=1", .text("a", "1")), ("a:=1", .json("a", 1)), ("a:={\"b\":[2]}", .json("a", ["b": [2]])),
            ("q==x=y", .query("q", "x=y")), ("X-A: b:c", .field("X-A", "b:c")), ("a=b@c", .text("a", "b@c")),
            (#"a\:b=1"#, .text("a:b", "1")), ("a=", .text("a", "")),
            ("url=https://h/?a=b", .text("url", "https://h/?a=b")), ("a=@f", .textFile("a", path: "f")),
            ("a:=@f", .jsonFile("a", path: "f")), ("X-A:", .field("X-A", "")), ("X-A;", .emptyField("X-A")),
            (#"a\[b=1"#, .text("a[b", "1")), ("a[b]==1", .query("a[b]", "1")),
        ] as [(String, RequestItem)])
    func `the separator determines the kind of a request item`(text: String, item: RequestItem) throws {
        #expect(try RequestItem(text) == item)
    }

    @Test(arguments: ["a", "=1", "a:={", "file@path", "", "a[b]=1", ";", "a;b"])
    func `an invalid request item is refused`(text: String) {
        #expect(throws: UsageFault.self) { try RequestItem(text) }
    }

    @Test(
        arguments: [
            (["http://h/"], nil, "http://h/", 0), (["get", "http://h/"], "GET", "http://h/", 0),
            (["POST", "http://h/", "a=1"], "POST", "http://h/", 1), (["localhost", "a=1"], nil, "localhost", 1),
            (["X-CUSTOM", "http://h/"], "X-CUSTOM", "http://h/", 0),
            (["http://h/", "a=1", "b=2"], nil, "http://h/", 2),
        ] as [([String], String?, String, Int)])
    func `the method may stand before the URL`(arguments: [String], method: String?, url: String, items: Int) throws {
        let positionals = try Positionals(arguments)
        #expect(positionals.method == method && positionals.urls == [url] && positionals.items.count == items)
    }

    @Test
    func `a second URL is never an item, and a file is content`() throws {
        let positionals = try Positionals(["put", "http://h/1", "HTTPS://h/2", "@f", "http=1"])
        #expect(positionals.method == "PUT" && positionals.urls == ["http://h/1", "HTTPS://h/2"])
        #expect(positionals.contentFile == "f" && positionals.items == [.text("http", "1")])
        #expect(try Positionals(["a=1"], urls: ["http://h/"]).items == [.text("a", "1")])
        #expect(throws: UsageFault.self) { try draft(["http://h/1", "http://h/2"]) }
    }

    @Test(arguments: [[], ["get"], ["POST"], ["foo", "http://h/"]])
    func `a missing URL is an error`(arguments: [String]) {
        #expect(throws: UsageFault.self) { try Positionals(arguments) }
    }

    private func draft(
        _ url: [String] = ["http://h/"], _ change: (inout RequestDraft.Arguments) throws -> Void = { _ in }
    ) throws -> RequestDraft {
        var arguments = RequestDraft.Arguments()
        arguments.positionals = url
        try change(&arguments)
        return try RequestDraft(arguments)
    }

    @Test
    func `the method follows from what is sent`() throws {
        #expect(try draft().method == "GET")
        #expect(try draft { $0.asksForHead = true }.method == "HEAD")
        #expect(try draft { $0.data = [.text("a")] }.method == "POST")
        #expect(try draft { $0.json = "{}" }.method == "POST")
        #expect(try draft { $0.form = [try FormPart("a=1")] }.method == "POST")
        #expect(try draft { $0.file = "f" }.method == "PUT")
        #expect(try draft(["http://h/", "a=1"]).method == "POST")
        #expect(try draft(["http://h/", "a==1"]).method == "GET")
        #expect(
            try draft {
                $0.method = "DELETE"
                $0.data = [.text("a")]
            }.method == "DELETE")
        #expect(throws: UsageFault.self) { try draft(["PUT", "http://h/"]) { $0.method = "DELETE" } }
    }

    @Test
    func `items become a JSON object, parameters and fields`() throws {
        let draft = try draft(["http://h/", "name=coast", "depth:=12", "page==2", "X-A:b"])
        #expect(draft.content == .json(["name": "coast", "depth": 12], type: "application/json"))
        #expect(draft.query == "page=2")
        #expect(draft.headers["X-A"] == "b")
        #expect(draft.headers[.accept] == "application/json, */*;q=0.5")
    }

    @Test
    func `data has curl's content type unless an option or a field sets another`() throws {
        #expect(
            try draft { $0.data = [.text("a")] }.content
                == .pieces([.text("a")], separator: "&", type: "application/x-www-form-urlencoded"))
        #expect(
            try draft {
                $0.data = [.text("a")]
                $0.contentType = "text/csv"
            }.content
                == .pieces([.text("a")], separator: "&", type: "text/csv"))
        let byField = try draft {
            $0.data = [.text("a")]
            $0.fields = ["content-type: text/csv"]
        }
        #expect(byField.content == .pieces([.text("a")], separator: "&", type: "text/csv"))
        #expect(!byField.headers.contains(.contentType))
    }

    @Test
    func `data can be sent in the query, encoded or unchanged`() throws {
        let draft = try draft {
            $0.sendsDataInQuery = true
            $0.query = ["a b=c&d"]
            $0.data = [.text("x=y z"), .encoded("n=ü&"), .encoded("=v w")]
        }
        #expect(draft.query == "a%20b=c%26d&x=y z&n=%C3%BC%26&v+w")
        #expect(draft.content == .none && draft.method == "GET")
        #expect(throws: UsageFault.self) {
            try self.draft {
                $0.sendsDataInQuery = true
                $0.data = [.text("@f")]
            }
        }
    }

    @Test(
        arguments: [
            (.encoded("q@f"), "q=a%E9"), (.encoded("@f"), "a%E9"), (.text("@f"), "a%E9"), (.text("ü"), "%C3%BC"),
        ] as [(RequestDraft.Data, String)])
    func `a file in the query keeps its bytes, also if they are not UTF-8`(
        data: RequestDraft.Data, query: String
    ) throws {
        let draft = try draft {
            $0.sendsDataInQuery = true
            $0.data = [data]
            $0.read = { _ in [0x61, 0xE9] }
        }
        #expect(draft.query == query)
    }

    @Test
    func `JSON values and fields from files must be UTF-8`() {
        for (item, fields) in [("a=@f", []), ("a:=@f", []), ("a==1", ["@f"])] {
            #expect(throws: UsageFault("f is not UTF-8 text")) {
                try draft(["http://h/", item]) {
                    $0.fields = fields
                    $0.read = { _ in [0x22, 0xE9, 0x22] }
                }
            }
        }
    }

    @Test
    func `two contents, broken JSON and broken fields are refused`() {
        #expect(throws: UsageFault.self) {
            try draft {
                $0.json = "{}"
                $0.data = [.text("a")]
            }
        }
        #expect(throws: UsageFault.self) { try draft(["http://h/", "a=1"]) { $0.form = [try FormPart("b=2")] } }
        #expect(throws: UsageFault.self) { try draft { $0.json = "{a:1}" } }
        #expect(throws: UsageFault.self) { try draft { $0.fields = ["no field"] } }
        #expect(throws: UsageFault.self) { try draft { $0.query = ["=x"] } }
    }

    @Test
    func `form parts have curl's syntax`() throws {
        let part = try FormPart("photo=@a/b.jpeg;type=image/jpeg;filename=c.jpeg")
        #expect(part.value == .file("a/b.jpeg") && part.type == "image/jpeg" && part.fileName == "c.jpeg")
        #expect(try FormPart("text=a;b").value == .text("a;b"))
        let typed = try FormPart("json={};type=application/json")
        #expect(typed.value == .text("{}") && typed.type == "application/json")
        #expect(try FormPart("text=<f").value == .textFile("f"))
        #expect(try FormPart(literal: "text=@f;type=x").value == .text("@f;type=x"))
        for text in ["photo=@a;x=y", "photo=@a,b", "text=<f;filename=g", "photo=@a;type=b/c;headers=X: y"] {
            #expect(throws: UsageFault.self) { try FormPart(text) }
        }
    }

    @Test(
        arguments: [
            ("f=@f.txt;filename=\"na;me.txt\"", .file("f.txt"), nil, "na;me.txt"),
            (#"f=@f.txt;filename="a\"b\\""#, .file("f.txt"), nil, #"a"b\"#),
            ("f=@\"a;b,c\";type=text/csv", .file("a;b,c"), "text/csv", nil),
            ("f=@f;type=text/plain;charset=utf-8;filename=g", .file("f"), "text/plain;charset=utf-8", "g"),
            ("t=x;type=text/plain;charset=utf-8", .text("x"), "text/plain;charset=utf-8", nil),
            ("t=x;type=text/plain; charset=utf-8", .text("x"), "text/plain; charset=utf-8", nil),
            ("t=x;type=text/plain;filename=\"n.txt\"", .text("x"), "text/plain", "n.txt"),
            ("t=\"a; b\";type=text/plain", .text("a; b"), "text/plain", nil), ("t=\"a\"", .text("a"), nil, nil),
            ("t=\"a\"b", .text("\"a\"b"), nil, nil), ("t=\"a", .text("\"a"), nil, nil),
            ("t=x;type=a;b", .text("x;type=a;b"), nil, nil), ("t=\"a\";b", .text("\"a\";b"), nil, nil),
            ("t=<\"f;g\"", .textFile("f;g"), nil, nil),
        ] as [(String, FormPart.Value, String?, String?)])
    func `a part of a form may be quoted, and its type may have parameters`(
        text: String, value: FormPart.Value, type: String?, fileName: String?
    ) throws {
        let part = try FormPart(text)
        #expect(part.value == value && part.type == type && part.fileName == fileName)
    }

    @Test
    func `a form is refused with GET and HEAD, and any content with HEAD`() throws {
        for method in ["GET", "HEAD"] {
            #expect(throws: UsageFault.self) {
                try draft {
                    $0.method = method
                    $0.form = [try FormPart("a=1")]
                }
            }
            #expect(throws: UsageFault.self) {
                try draft {
                    $0.method = method
                    $0.data = [.text("a=1")]
                }
            }
        }
        #expect(throws: UsageFault.self) { try draft(["head", "http://h/", "a=1"]) }
        #expect(try draft(["get", "http://h/", "a=1"]).method == "GET")
    }

    @Test
    func `standard input is content after a method that has some, and nowhere else`() throws {
        func content(_ arguments: [String], _ change: (inout RequestDraft.Arguments) -> Void = { _ in }) throws
            -> RequestDraft.Content
        {
            try draft(arguments) {
                $0.hasStandardInput = true
                change(&$0)
            }.content
        }
        #expect(try content(["post", "http://h/"]) == .standardInput(type: "application/json"))
        #expect(try content(["http://h/"]) == .none)
        #expect(try content(["get", "http://h/"]) == .none)
        #expect(try content(["http://h/"]) { $0.method = "POST" } == .none)
        #expect(try content(["put", "http://h/"]) { $0.file = "f" } == .file("f", type: nil))
        #expect(try content(["post", "http://h/", "a=1"]) == .json(["a": "1"], type: "application/json"))
    }

    @Test
    func `cookies and addresses are read as curl reads them`() throws {
        #expect(CookieArgument("a=1; b=2") == .field("a=1; b=2"))
        #expect(CookieArgument("jar.txt") == .file("jar.txt"))
        let resolve = try ResolveArgument("example.com:443:[2001:db8::1]")
        #expect(resolve.key == "example.com:443" && resolve.address == "2001:db8::1" && resolve.port == 443)
        for text in ["h", "h:80", ":80:127.0.0.1", "h:x:127.0.0.1", "h:70000:127.0.0.1"] {
            #expect(throws: UsageFault.self) { try ResolveArgument(text) }
        }
    }

    @Test
    func `a response for machines has its content as JSON, text or Base64`() {
        func record(_ type: String, _ body: Bytes) -> JSONValue {
            var record = ResponseRecord(method: "GET", url: "http://h/", status: 200, reason: "OK")
            record.fields = [("Content-Type", type), ("X-A", "1"), ("X-A", "2")]
            record.body = body
            return record.json
        }
        let json = record("application/json", Bytes(#"{"a":1.50}"#))
        #expect(json["encoding"] == "json" && json["body"]?.description == #"{"a":1.50}"#)
        #expect(json["headers"]?[2] == ["X-A", "2"])
        #expect(record("application/json", Bytes("{"))["encoding"] == "text")
        #expect(record("text/plain", Bytes("ü"))["body"] == "ü")
        let samples: [([UInt8], String)] = [
            ([0xFF], "/w=="), ([0xFF, 0xFE], "//4="), ([0xFF, 0, 1], "/wAB"), ([0xFF, 0, 1, 2], "/wABAg=="),
        ]
        for (bytes, text) in samples {
            let binary = record("image/png", Bytes(bytes))
            #expect(binary["encoding"] == "base64" && binary["body"] == .string(text))
        }
    }
}
