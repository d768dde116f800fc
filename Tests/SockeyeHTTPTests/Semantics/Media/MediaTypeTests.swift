import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite struct MediaTypeTests {
    struct Case: Decodable {
        let id: String
        let input: String
        let output: String?
        let encoding: String?
    }

    struct FieldCase: Decodable {
        let id: String
        let contentType: [String]
        let mimeType: String?
        let encoding: String?
    }

    @Test("the media types of the public suite are read and written")
    func conformance() throws {
        for item in Vectors.load(own: "media-types.json", public: ["media-types/mime-types.json"], as: Case.self) {
            let type = InternetMediaType(item.input)
            #expect(type?.description == item.output, "\(item.id): \(item.input)")
            #expect(type?.encoding?.name == item.encoding, "\(item.id): \(item.input)")
        }
    }

    @Test("the type of several Content-Type fields is extracted as in the public suite")
    func fieldConformance() throws {
        let files = ["media-types/content-type-header.json"]
        for item in Vectors.load(own: "content-type-fields.json", public: files, as: FieldCase.self) {
            let type = InternetMediaType.extract(from: item.contentType)
            #expect(type?.description == item.mimeType, "\(item.id): \(item.contentType)")
            #expect(type?.encoding?.name == item.encoding, "\(item.id): \(item.contentType)")
        }
    }

    @Test("parameters keep their order, their names are lower-cased, and the first of each name counts")
    func parameters() throws {
        let type = try #require(InternetMediaType(" Text/HTML ; B=\"x;y\\\"z\" ; a=1;b=2 ; CharSet=UTF-8 "))
        #expect(type.essence == "text/html")
        #expect(type.parameters.map(\.name) == ["b", "a", "charset"])
        #expect(type["B"] == "x;y\"z")
        #expect(type.charset == "UTF-8")
        #expect(type.encoding == .utf8)
        #expect(type.description == "text/html;b=\"x;y\\\"z\";a=1;charset=UTF-8")
        #expect(InternetMediaType(type.description) == type)
    }

    @Test(
        "a text without type and subtype is not a media type",
        arguments: ["", "text", "/", "text/", "/html", "te xt/html", "text/ht ml", "a/b/c", "té/x"])
    func refused(text: String) {
        #expect(InternetMediaType(text) == nil)
    }

    @Test(
        "a media type matches ranges and structured suffixes",
        arguments: [
            ("text/html", "text/*", true), ("text/html", "TEXT/HTML", true),
            ("text/html; charset=x", "text/html", true),
            ("text/html", "*/*", true), ("text/html", "application/*", false), ("text/html", "text/htm", false),
            ("application/problem+json", "application/*+json", true), ("application/json", "application/*+json", false),
            ("application/json", " application/json ; q=0.5", true), ("text/html", "text", false),
            ("text/html", "", false),
            ("application/+json", "application/*+json", false), ("text/html", "text/html/x", false),
            ("text/html", "text/ html\t; q=1", true), ("text/html", "text;/html", false), ("text/html", "text/", false),
            ("a/problem+json", "a/*+JSON", true), ("a/b+json", "a/*+", false), ("a/b+", "a/*+", true),
            ("text/html", "te\u{212A}t/html", false),
        ]
    )
    func matching(type: String, pattern: String, expected: Bool) throws {
        #expect(try #require(InternetMediaType(type)).matches(pattern) == expected)
    }

    @Test(
        "quoted values are unescaped and end at the closing quote",
        arguments: [
            ("a/b;x=\"\";y=1", ["x": "", "y": "1"]), ("a/b;x=\"1;2\" junk;y=1", ["x": "1;2", "y": "1"]),
            ("a/b;x=\"\\\"\\\\c\";y=1", ["x": "\"\\c", "y": "1"]), ("a/b;x=\"1", ["x": "1"]),
            ("a/b;x=\"1\\", ["x": "1\\"]), ("a/b;x=\"é\"", ["x": "é"]), ("a/b;x=\"\u{100}\";y=1", ["y": "1"]),
            ("a/b;x=\"\u{1}\";y=1", ["y": "1"]), ("a/b;\u{212A}=1;y=1", ["y": "1"]), ("a/b;x=1;X=2", ["x": "1"]),
            ("a/b;x= ;y=1;;=3;x y=4", ["y": "1"]),
        ] as [(String, [String: String])])
    func quoting(text: String, parameters: [String: String]) throws {
        let type = try #require(InternetMediaType(text))
        #expect(Dictionary(uniqueKeysWithValues: type.parameters.map { ($0.name, $0.value) }) == parameters)
    }

    @Test("50,000 parameters are read in linear time", .timeLimit(.minutes(1)))
    func many() throws {
        let type = try #require(InternetMediaType("a/b" + (0..<50_000).map { ";p\($0)=\($0)" }.joined()))
        #expect(type.parameters.count == 50_000)
    }

    @Test("a comma-separated list in one field counts as several fields, but a comma in quotes divides nothing")
    func lists() {
        #expect(
            InternetMediaType.extract(from: ["text/plain, text/html;charset=utf-8"])?.description
                == "text/html;charset=utf-8")
        #expect(InternetMediaType.extract(from: ["text/html;a=\"b, c\""])?["a"] == "b, c")
        #expect(InternetMediaType.extract(from: ["text/html;charset=gbk, text/html"])?.charset == "gbk")
        #expect(InternetMediaType.extract(from: ["text/html;charset=gbk", "text/plain", "text/html"])?.charset == nil)
        #expect(InternetMediaType.extract(from: ["text/html", "nonsense", "*/*"])?.essence == "text/html")
        #expect(InternetMediaType.extract(from: ["*/*"]) == nil)
        #expect(InternetMediaType.extract(from: ["text/html;a=\"b\\\", c\", text/plain"])?.essence == "text/plain")
        #expect(InternetMediaType.extract(from: ["text/html;a=\"b, text/plain"])?["a"] == "b, text/plain")
        #expect(InternetMediaType.extract(from: []) == nil)
        #expect(InternetMediaType.extract(from: ["", ","]) == nil)
    }
}
