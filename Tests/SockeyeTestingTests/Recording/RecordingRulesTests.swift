import Sockeye
import Testing

@testable import SockeyeTesting

@Suite("Recording rules")
struct RecordingRulesTests {
    @Test(
        "the rules remove secrets from fields and leave other values",
        arguments: [
            ("Authorization", "Bearer s3cret", "Bearer (removed)"), ("authorization", "s3cret", "(removed)"),
            ("Authorization", "Key s3cret", "(removed)"), ("Proxy-Authorization", "Basic czM=", "Basic (removed)"),
            ("Cookie", "a=s3cret; b=x=y", "a=(removed); b=(removed)"),
            ("Set-Cookie", "a=s3cret; Path=/; Secure", "a=(removed); Path=/; Secure"),
            ("Set-Cookie", "a=; Max-Age=0", "a=; Max-Age=0"), ("Set-Cookie", "s3cret", "(removed)"),
            ("X-API-Key", "s3cret", "(removed)"), ("Accept", "s3cret", "s3cret"),
            ("Location", "https://u:s3cret@h/p?token=s3cret&a=1#f", "https://h/p?token=(removed)&a=1#f"),
            ("Referer", "/p?a=1&api%5Fkey=s3cret", "/p?a=1&api%5Fkey=(removed)"),
            ("Private-Token", "s3cret", "(removed)"), ("x-vault-token", "s3cret", "(removed)"),
            ("Ocp-Apim-Subscription-Key", "s3cret", "(removed)"), ("X-Own-Session", "s3cret", "(removed)"),
            ("Access-Control-Allow-Credentials", "true", "true"), ("X-RateLimit-Limit-Tokens", "9", "9"),
            ("Location", "/cb?Code=s3cret&JWT=s3cret&Sig=s3cret", "/cb?Code=(removed)&JWT=(removed)&Sig=(removed)"),
            ("Location", "/cb#access_token=s3cret&state=1", "/cb#access_token=(removed)&state=1"),
            (
                "Link", #"</p?token=s3cret>; rel="next", <https://u:s3cret@h/?a=1>; rel="last""#,
                #"</p?token=(removed)>; rel="next", <https://h/?a=1>; rel="last""#
            ),
            ("Refresh", "0; url=/p?token=s3cret", "0; url=/p?token=(removed)"),
            ("Content-Location", "/p?sig=s3cret", "/p?sig=(removed)"),
            ("X-Callback", "https://h/hook?key=s3cret", "https://h/hook?key=(removed)"),
        ])
    func fields(name: String, value: String, expected: String) {
        var exchange = RecordedExchange(request: .init(method: "GET", url: "http://h/"))
        exchange.request.headers.append(Headers.Name(name), value)
        exchange.response = .init(head: .init(status: 200))
        exchange.response?.head.headers.append(Headers.Name(name), value)
        let cleaned = RecordingRules().cleaned(exchange)
        #expect(cleaned.request.headers[Headers.Name(name)] == expected)
        #expect(cleaned.response?.head.headers[Headers.Name(name)] == expected)
    }

    @Test(
        "the rules remove members of JSON and forms that are secret or named by the user",
        arguments: [
            (#"{"a":{"password":"s3cret","n":1.50}}"#, "application/json", #"{"a":{"password":"(removed)","n":1.50}}"#),
            (#"[{"iban":["s3cret"]}, 1]"#, "application/json", #"[{"iban":"(removed)"}, 1]"#),
            (#"{"b" : 1}"#, "application/json", #"{"b" : 1}"#),
            (
                #"{"accessToken":"s3cret","JWT":"s3cret","apiTokens":["s3cret"],"code":"E1","max_tokens":10,"session":{"a":1}}"#,
                "application/json",
                #"{"accessToken":"(removed)","JWT":"(removed)","apiTokens":["(removed)"],"code":"E1","max_tokens":10,"session":{"a":1}}"#
            ),
            (
                "code=s3cret&Client_Secret=s3cret&grant_type=x", "application/x-www-form-urlencoded",
                "code=(removed)&Client_Secret=(removed)&grant_type=x"
            ),
            ("user=ada&password=s3cret&x", "application/x-www-form-urlencoded", "user=ada&password=(removed)&x"),
            ("password=s3cret", "text/plain", "password=s3cret"), ("to customer-4711", "text/plain", "to customer-1"),
        ])
    func bodies(body: String, type: String, expected: String) {
        var rules = RecordingRules()
        rules.removeMembers("iban")
        rules.replace("customer-4711", with: "customer-1")
        var exchange = RecordedExchange(
            request: .init(method: "POST", url: "http://h/", headers: [.contentType: type], body: Bytes(body)))
        exchange.response = .init(
            head: .init(
                status: 200, headers: [.contentType: type, .contentLength: String(body.utf8.count)]), body: Bytes(body),
            pieces: [1, 2])
        let cleaned = rules.cleaned(exchange)
        #expect(cleaned.request.body == Bytes(expected))
        #expect(cleaned.response?.body == Bytes(expected))
        #expect(cleaned.response?.head.headers[.contentLength] == String(expected.utf8.count))
        #expect(cleaned.response?.pieces == (body == expected ? [1, 2] : []))
        // A cleaned exchange must stay unchanged when replaying cleans it again.
        #expect(rules.cleaned(cleaned) == cleaned)
    }

    @Test(
        "the rules remove secret members from JSON lines, JSON sequences, event streams and XML",
        arguments: [
            (
                "{\"token\":\"s3cret\",\"a\":1}\n\n{ \"b\" : 2 }\r\n{\"token\":\"s3cret\"}\n",
                "application/x-ndjson",
                "{\"token\":\"(removed)\",\"a\":1}\n\n{ \"b\" : 2 }\r\n{\"token\":\"(removed)\"}\n"
            ),
            ("{\"token\":\"s3cret\"}\n{\"tok", "application/jsonl", "{\"token\":\"(removed)\"}\n{\"tok"),
            ("note\n{\"token\":\"s3cret\"}", "text/plain", "note\n{\"token\":\"(removed)\"}"),
            (
                "\u{1E}{\"token\":\n\"s3cret\"}\n\u{1E}{\"token\":\"s3cret\"}\n", "application/json-seq",
                "\u{1E}{\"token\":\n\"(removed)\"}\n\u{1E}{\"token\":\"(removed)\"}\n"
            ),
            (
                "event: a\ndata: {\"token\":\"s3cret\"}\n\ndata: {\"b\":1}\n\n", "text/event-stream",
                "event: a\ndata: {\"token\":\"(removed)\"}\n\ndata: {\"b\":1}\n\n"
            ),
            ("data: {\"token\":\"s3cret\"}\n\n", "text/event-stream", "data: {\"token\":\"(removed)\"}\n\n"),
            (
                #"{"next":"https://u:s3cret@h/?sig=s3cret&a=1","b":"/?sig=s"}"#, "application/json",
                #"{"next":"https://h/?sig=(removed)&a=1","b":"/?sig=s"}"#
            ),
            (
                "<a password='s3cret' b=\"1\"><s:Token x = \"1\" >s3cret</s:Token><token/><Token> </Token></a>",
                "application/xml",
                "<a password='(removed)' b=\"1\"><s:Token x = \"1\" >(removed)</s:Token><token/><Token> </Token></a>"
            ),
            (
                "<session><id>1</id></session><secret><![CDATA[<s3cret>]]></secret><!--<token>s</token>-->", "text/xml",
                "<session><id>1</id></session><secret>(removed)</secret><!--<token>s</token>-->"
            ),
            (
                "<?xml version=\"1.0\"?><a xmlns:token=\"urn:a\"><token>s3<!-- -->cret", "text/plain",
                "<?xml version=\"1.0\"?><a xmlns:token=\"urn:a\"><token>(removed)"
            ),
            ("<iban>s3cret</iban>", "application/soap+xml", "<iban>(removed)</iban>"),
            ("\u{FEFF}<?xml?><token>s3cret</token>", "text/plain", "\u{FEFF}<?xml?><token>(removed)</token>"),
            (
                "<a xmlnsToken=\"s3cret\" xmlns:token=\"urn:a\"><xmlnsToken>s3cret</xmlnsToken></a>", "text/xml",
                "<a xmlnsToken=\"(removed)\" xmlns:token=\"urn:a\"><xmlnsToken>(removed)</xmlnsToken></a>"
            ),
        ])
    func structures(body: String, type: String, expected: String) {
        var rules = RecordingRules()
        rules.removeMembers("iban")
        var exchange = RecordedExchange(
            request: .init(method: "POST", url: "http://h/", headers: [.contentType: type], body: Bytes(body)))
        exchange.response = .init(head: .init(status: 200, headers: [.contentType: type]), body: Bytes(body))
        let cleaned = rules.cleaned(exchange)
        #expect(String(decoding: cleaned.request.body, as: UTF8.self) == expected)
        #expect(cleaned.response?.body == Bytes(expected))
        #expect(rules.cleaned(cleaned) == cleaned)
    }

    @Test(
        "the rules remove secret members from JSON that is cut off, malformed, ambiguous or nested too deep",
        arguments: [
            (#"{"token":"s3cret","a":["#, #"{"token":"(removed)","a":["#),
            (#"{"token":"s3cr"#, #"{"token":"(removed)"#),
            ("{\n  \"a\": 1,\n  \"token\" : \"s3cret\",", "{\n  \"a\": 1,\n  \"token\" : \"(removed)\","),
            ("{\"token\":\"s3\ncret\\\"\"}", "{\"token\":\"(removed)\"}"), (#"{"token":""#, #"{"token":""#),
            (#"{"password":"s3cret","password":1}"#, #"{"password":"(removed)","password":1}"#),
            (#"{"t\u006Fken":"s3cret",}"#, #"{"t\u006Fken":"(removed)",}"#),
            (
                #"{"tokens":["s3cret",["s3cret"],{"a":"b"}],["a"#,
                #"{"tokens":["(removed)",["(removed)"],{"a":"b"}],["a"#
            ),
            (#"{"iban":{"a":["s3cret"],"b":"}"#, #"{"iban":"(removed)""#),
            (#"{"iban":5,"b":"#, #"{"iban":"(removed)","b":"#),
            (#"{"iban":{"a":"]"},"b":[{}"#, #"{"iban":"(removed)","b":[{}"#),
            (#"{"iban":null,"b":"#, #"{"iban":null,"b":"#),
            (#"{"a":"https:\/\/u:s3cret@h\/?a=1","b":"#, #"{"a":"https://h/?a=1","b":"#),
            (#"{"a":"https:\/\/h\/?a=1","b":"#, #"{"a":"https:\/\/h\/?a=1","b":"#),
            (#"{"a":"HTTPS://u:s3cret@h/?a=1","b":"#, #"{"a":"HTTPS://h/?a=1","b":"#),
            (#"{"a":"\u0068ttp://u:s3cret@h/?a=1","b":"#, #"{"a":"http://h/?a=1","b":"#),
            ("{\"a\":\"https://\u{301}u:s3cret@h/?a=1\",\"b\":", #"{"a":"https://h/?a=1","b":"#),
            (
                String(repeating: "[", count: 300) + #"{"token":"s3cret"}"#,
                String(repeating: "[", count: 300) + #"{"token":"(removed)"}"#
            ),
            (
                "{\"a\(String(repeating: "\u{301}", count: 300))\":1,\"token\":\"s3cret\"}",
                "{\"a\(String(repeating: "\u{301}", count: 300))\":1,\"token\":\"(removed)\"}"
            ),
            ("a 5\" screen\n{\"token\":\"s3cret\",", "a 5\" screen\n{\"token\":\"(removed)\","),
            ("data: {\ndata:  \"token\": \"s3cret\"\ndata: }\n", "data: {\ndata:  \"token\": \"(removed)\"\ndata: }\n"),
        ] as [(String, String)])
    func malformedJSON(body: String, expected: String) {
        var rules = RecordingRules()
        rules.removeMembers("iban")
        for type in ["application/problem+json", "text/plain"] {
            var exchange = RecordedExchange(request: .init(method: "GET", url: "http://h/"))
            exchange.response = .init(head: .init(status: 200, headers: [.contentType: type]), body: Bytes(body))
            let cleaned = rules.cleaned(exchange)
            #expect(String(decoding: cleaned.response?.body ?? Bytes(), as: UTF8.self) == expected)
            #expect(rules.cleaned(cleaned) == cleaned)
        }
    }

    @Test("the rules remove secret members from JSON in UTF-16")
    func wideJSON() {
        let units = Array(#"{"token":"s3cret"}"#.utf16)
        let body = Bytes(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        let request = RecordedExchange.Request(
            method: "POST", url: "http://h/", headers: [.contentType: "application/json"], body: body)
        #expect(RecordingRules().cleaned(request).body == Bytes(#"{"token":"(removed)"}"#))
    }

    @Test(
        "the rules remove secrets from XML in UTF-16, which stays UTF-16",
        arguments: [true, false], ["application/xml", "text/plain"])
    func wideXML(isBigEndian: Bool, type: String) {
        func wide(_ secret: String) -> Bytes {
            let text = "\u{FEFF}<?xml version=\"1.0\"?><a password=\"\(secret)\"><token>\(secret)</token>\u{1F41F}</a>"
            let bytes = text.utf16.flatMap { unit -> [UInt8] in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                return isBigEndian ? [high, low] : [low, high]
            }
            return Bytes(bytes)
        }
        let request = RecordedExchange.Request(
            method: "POST", url: "http://h/", headers: [.contentType: type], body: wide("s3cret"))
        #expect(RecordingRules().cleaned(request).body == wide(RecordingRules.mark))
    }

    @Test("the rules remove secrets from a form with bytes that are not UTF-8")
    func formOfBytes() {
        func form(_ secret: [UInt8]) -> Bytes {
            var body = Array("token=".utf8) + secret
            body += Array("&a=".utf8) + [0xFF]
            body += Array("&password=".utf8) + secret
            return Bytes(body)
        }
        let request = RecordedExchange.Request(
            method: "POST", url: "http://h/", headers: [.contentType: "application/x-www-form-urlencoded"],
            body: form([0x73, 0xFF]))
        #expect(RecordingRules().cleaned(request).body == form(Array(RecordingRules.mark.utf8)))
    }

    /// Returns a multipart form with these line ends.
    private func form(_ secret: String, end: String = "\r\n") -> Bytes {
        let parts = [
            #"Content-Disposition: form-data; name="page""#, "", "1",
            "--b", #"content-disposition: form-data; name="Pass-Word""#, "Content-Length: \(secret.utf8.count)", "",
            secret,
            "--b", "Content-Disposition: form-data;", #"  name="iban"; filename="a""#, "", secret + end + secret,
            "--b", "Content-Type: application/json", "", #"{"token":"\#(secret)"}"#,
            "--b", #"Content-Disposition: form-data; name="token""#, "", "",
            "--b", #"Content-Disposition: form-data; name="file""#, "",
        ]
        var body = Array("--b\(end)".utf8)
        for line in parts { body += Array((line + end).utf8) }
        // The content of the part "file" is not text.
        body += [0xFF, 0x00]
        body += Array("\(end)--b--\(end)".utf8)
        return Bytes(body)
    }

    @Test("the rules remove the content of secret multipart parts and keep the structure", arguments: ["\r\n", "\n"])
    func parts(end: String) {
        var rules = RecordingRules()
        rules.removeMembers("iban")
        let type = "multipart/form-data; boundary=b"
        func response(_ secret: String) -> RecordedExchange {
            var exchange = RecordedExchange(request: .init(method: "GET", url: "http://h/"))
            exchange.response = .init(
                head: .init(status: 200, headers: [.contentType: type]), body: form(secret, end: end))
            return exchange
        }
        let cleaned = rules.cleaned(response("s3cret"))
        #expect(rules.cleaned(cleaned) == cleaned)
        #expect(cleaned == rules.cleaned(response("another secret")))
        let lines = (cleaned.response?.body ?? Bytes()).split(separator: 0x0A).map { line in
            String(decoding: line.filter { $0 != 0x0D }, as: UTF8.self)
        }
        let mark = RecordingRules.mark
        let expected = [
            "--b", "1", "--b", mark, "--b", mark, "--b", "{\"token\":\"\(mark)\"}", "--b", "--b", "\u{FFFD}\0", "--b--",
        ]
        let fields: Set<Character> = ["C", "c", " "]
        #expect(lines.filter { line in line.first.map { !fields.contains($0) } ?? false } == expected)
        #expect(lines.contains("Content-Length: \(mark.utf8.count)"))
    }

    @Test(
        "the rules remove secrets from malformed multipart bodies",
        arguments: [
            (
                "--b\r\nContent-Disposition: form-data; name=token\r\n\r\ns3cret",
                "--b\r\nContent-Disposition: form-data; name=token\r\n\r\n(removed)"
            ),
            ("--b\r\nContent-Disposition: form-data", "--b\r\nContent-Disposition: form-data"),
            ("--b\r\n\r\n{\"token\":\"s3cret\"}\r\n--b--", "--b\r\n\r\n{\"token\":\"(removed)\"}\r\n--b--"),
            (
                "preamble\r\n--b\r\nContent-Disposition: form-data; name=a\r\n\r\n--bc\r\n--b--\r\nepilogue",
                "preamble\r\n--b\r\nContent-Disposition: form-data; name=a\r\n\r\n--bc\r\n--b--\r\nepilogue"
            ),
            ("--b", "--b"), ("--b--", "--b--"), ("\n\n", "\n\n"),
        ])
    func malformedParts(body: String, expected: String) {
        var exchange = RecordedExchange(request: .init(method: "GET", url: "http://h/"))
        let type = "multipart/form-data; boundary=b"
        exchange.response = .init(head: .init(status: 200, headers: [.contentType: type]), body: Bytes(body))
        let cleaned = RecordingRules().cleaned(exchange)
        #expect(String(decoding: cleaned.response?.body ?? Bytes(), as: UTF8.self) == expected)
    }

    @Test("the rules remove multipart bodies that are nested too deep")
    func nestedParts() {
        var body = "s3cret"
        for level in (0..<1000).reversed() {
            let type = level == 999 ? "text/plain" : "multipart/mixed; boundary=b\(level + 1)"
            body = "--b\(level)\r\nContent-Type: \(type)\r\n\r\n\(body)\r\n--b\(level)--"
        }
        var exchange = RecordedExchange(request: .init(method: "GET", url: "http://h/"))
        exchange.response = .init(
            head: .init(status: 200, headers: [.contentType: "multipart/mixed; boundary=b0"]), body: Bytes(body))
        let cleaned = String(
            decoding: RecordingRules().cleaned(exchange).response?.body ?? Bytes(), as: UTF8.self)
        #expect(cleaned.contains("--b7\r\n") && !cleaned.contains("--b8\r\n") && !cleaned.contains("s3cret"))
    }

    @Test(
        "a request with another secret matches the recorded one",
        arguments: [
            ("http://h/?sig=SECRET", "text/plain", ""),
            ("http://h/", "application/x-ndjson", "{\"token\":\"SECRET\"}\n"),
            ("http://h/", "text/xml", "<token>SECRET</token>"),
            (
                "http://h/", "multipart/form-data; boundary=b-SECRET",
                "--b-SECRET\r\nContent-Disposition: form-data; name=password\r\n\r\nSECRET\r\n--b-SECRET--\r\n"
            ),
        ])
    func matching(url: String, type: String, body: String) {
        func request(_ secret: String) -> RecordedExchange.Request {
            func text(_ template: String) -> String { template.replacing("SECRET", with: secret) }
            return RecordingRules().cleaned(
                .init(method: "POST", url: text(url), headers: [.contentType: text(type)], body: Bytes(text(body))))
        }
        let (recorded, asked) = (request("first"), request("the-other"))
        let matching = RecordedTransport.Matching(fields: [.contentType])
        #expect(matching.differences(recorded: recorded, asked: asked).isEmpty)
        #expect(!RecordingWriter.text([RecordedExchange(request: recorded)]).contains("first"))
    }

    @Test(
        "the rules give multipart requests the same boundaries each time",
        arguments: ["boundary", "Boundary", "BOUNDARY"])
    func boundaries(parameter: String) {
        func request(_ outer: String, _ inner: String) -> RecordedExchange.Request {
            let body = """
                --\(outer)\r\nContent-Type: multipart/mixed; \(parameter)=\(inner)\r\n\r\n\
                --\(inner)\r\n\r\n\(outer)x\r\n--\(inner)--\r\n--\(outer)--\r\n
                """
            return .init(
                method: "POST", url: "http://h/",
                headers: [.contentType: "multipart/form-data; \(parameter)=\"\(outer)\""], body: Bytes(body))
        }
        let cleaned = RecordingRules().cleaned(request("Boundary+0011", "Boundary+0011-A"))
        #expect(cleaned == RecordingRules().cleaned(request("0123456789", "abcdefghijk")))
        #expect(cleaned.headers[.contentType] == "multipart/form-data; \(parameter)=\"recorded-boundary\"")
        #expect(String(decoding: cleaned.body, as: UTF8.self).contains("--recorded-boundary-1--"))
    }

    @Test(
        "secrets of a form are removed whatever its boundary is",
        arguments: ["b", "a", "form", "boundary", "form-data-form"])
    func shortBoundary(boundary: String) {
        let body =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ns3cret\r\n--\(boundary)--\r\n"
        let cleaned = RecordingRules().cleaned(
            .init(
                method: "POST", url: "http://h/",
                headers: [.contentType: "multipart/form-data; boundary=\(boundary)"], body: Bytes(body)))
        #expect(!String(decoding: cleaned.body, as: UTF8.self).contains("s3cret"))
        #expect(cleaned.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test("the rules can keep fields and rewrite every text")
    func own() {
        var rules = RecordingRules()
        rules.keepFields("Cookie")
        rules.removeFields("X-Own")
        rules.removeQueryItems("Tenant")
        rules.keepValues(of: "pageToken")
        rules.rewrite { $0.replacing("ada", with: "bob") }
        let request = rules.cleaned(
            .init(
                method: "GET", url: "http://u:p@h/ada?tenant=1&pageToken=2",
                headers: ["Cookie": "a=1", "X-Own": "x", "X": "ada"],
                body: Bytes("ada")))
        #expect(request.url == "http://h/bob?tenant=(removed)&pageToken=2")
        #expect(request.headers == ["Cookie": "a=1", "X-Own": "(removed)", "X": "bob"])
        #expect(request.body == Bytes("bob"))
    }

    @Test(
        "the rules replace a text also if a combining mark, a variation selector or a joiner follows",
        arguments: ["\u{301}", "\u{FE0F}", "\u{200D}\u{1F41F}"])
    func replacedInCharacters(suffix: String) {
        var rules = RecordingRules()
        rules.replace("customer-4711", with: "customer-1")
        // The request has the canonically equivalent form of this text.
        rules.replace("Jos\u{E9}", with: "Ada")
        let text = "customer-4711\(suffix), Jose\u{301}"
        let request = rules.cleaned(.init(method: "POST", url: "http://h/", headers: ["X": text], body: Bytes(text)))
        let expected = "customer-1\(suffix), Ada"
        #expect(request.headers["X"] == expected)
        #expect(request.body == Bytes(expected))
    }
}
