import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite struct URLResolutionTests {
    struct Reference: Decodable {
        let id: String
        let base: String
        let reference: String
        let expected: String
    }

    @Test("the references of RFC 3986 and of the public cases are resolved or refused as expected")
    func conformance() throws {
        for item in Vectors.load(own: "references.json", public: ["url/references.json"], as: Reference.self) {
            let base = try HTTPURL(item.base)
            if item.expected.hasPrefix("http") {
                // Compared as URLs: "https://g?q" and "https://g/?q" are the same.
                #expect(try base.resolving(item.reference) == HTTPURL(item.expected), "\(item.id)")
            } else {
                #expect(throws: HTTPURL.Fault.self, "\(item.id)") { try base.resolving(item.reference) }
            }
        }
    }

    struct Encoding: Decodable {
        let id: String
        let input: String
        let output: [String: String]
    }

    @Test("characters are percent-encoded as UTF-8")
    func encoding() throws {
        let files = ["url/percent-encoding.json"]
        for item in Vectors.load(own: "percent-encoding.json", public: files, as: Encoding.self) {
            #expect(try HTTPURL("http://h/?\(item.input)").query == item.output["utf-8"], "\(item.id)")
            #expect(try HTTPURL("http://h/\(item.input)").path == item.output["utf-8"].map { "/" + $0 }, "\(item.id)")
        }
    }

    @Test(
        "a reference is resolved against the path, query and authority of its base",
        arguments: [
            ("g", "http://u@a:81/b/c/g"), ("./g/", "http://u@a:81/b/c/g/"), ("/g", "http://u@a:81/g"),
            ("", "http://u@a:81/b/c/d;p?q"),
            ("?y", "http://u@a:81/b/c/d;p?y"), ("?", "http://u@a:81/b/c/d;p?"), ("#s", "http://u@a:81/b/c/d;p?q#s"),
            ("g?y#s", "http://u@a:81/b/c/g?y#s"), ("..", "http://u@a:81/b/"), ("../../../g", "http://u@a:81/g"),
            ("/./g/../h", "http://u@a:81/h"), ("%2e%2e/g", "http://u@a:81/b/g"), ("g;x=1/../y", "http://u@a:81/b/c/y"),
            ("//g", "http://g/"), ("//g:80/x", "http://g/x"), ("https://g", "https://g/"),
            ("HTTP://g/../x", "http://g/x"),
            (":g", "http://u@a:81/b/c/:g"), ("1:2", "http://u@a:81/b/c/1:2"), ("a b", "http://u@a:81/b/c/a%20b"),
            (" g ", "http://u@a:81/b/c/g"), ("\\g", "http://u@a:81/g"), ("é", "http://u@a:81/b/c/%C3%A9"),
            ("g?é=ü#ö", "http://u@a:81/b/c/g?%C3%A9=%C3%BC#%C3%B6"), ("/%2e%2e%2fg", "http://u@a:81/%2e%2e%2fg"),
        ]
    )
    func resolving(reference: String, expected: String) throws {
        let base = try HTTPURL("http://u@a:81/b/c/d;p?q#f")
        #expect(try base.resolving(reference) == HTTPURL(expected))
    }

    @Test(
        "a reference to another scheme or with an ambiguous target is refused",
        arguments: [
            ("mailto:x@y", .unsupportedScheme), ("javascript:alert(1)", .unsupportedScheme),
            ("file:///etc/passwd", .unsupportedScheme),
            ("//", .emptyHost), ("///x", .emptyHost), ("\\\\evil.com", .backslash), ("/\\evil.com", .backslash),
            ("\\/evil.com", .backslash), ("//good.com\\@evil.com", .backslash), ("http:g", .missingAuthority),
            ("https:/g", .missingAuthority), ("/a\r\nX: y", .control), ("/a\tb", .control), ("//a:99999/", .port),
            ("//a b/", .invalidHost),
        ] as [(String, HTTPURL.Fault.Code)]
    )
    func refusing(reference: String, code: HTTPURL.Fault.Code) throws {
        let base = try HTTPURL("http://a/b/c/d")
        #expect { try base.resolving(reference) } throws: { ($0 as? HTTPURL.Fault)?.code == code }
    }

    @Test("the length of a resolved URL is limited")
    func length() throws {
        let base = try HTTPURL("http://h/" + String(repeating: "a", count: 40_000) + "/b")
        #expect { try base.resolving(String(repeating: "c", count: 40_000)) } throws: {
            ($0 as? HTTPURL.Fault)?.code == .tooLong
        }
    }
}
