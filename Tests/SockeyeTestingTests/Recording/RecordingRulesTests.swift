import Sockeye
import Testing

@testable import SockeyeTesting

@Suite("Recording rules")
struct RecordingRulesTests {
    @Test(
        "remove the secrets of fields, and leave what is none",
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
        ])
    func fields(name: String, value: String, expected: String) {
        var exchange = RecordedExchange(request: .init(method: "GET", url: "http://h/"))
        exchange.request.headers.append(FieldName(name), value)
        exchange.response = .init(head: .init(status: 200))
        exchange.response?.head.headers.append(FieldName(name), value)
        let cleaned = RecordingRules().cleaned(exchange)
        #expect(cleaned.request.headers[FieldName(name)] == expected)
        #expect(cleaned.response?.head.headers[FieldName(name)] == expected)
    }

    @Test(
        "remove members of JSON and of forms, and what the user names",
        arguments: [
            (#"{"a":{"password":"s3cret","n":1.50}}"#, "application/json", #"{"a":{"password":"(removed)","n":1.50}}"#),
            (#"[{"iban":["s3cret"]}, 1]"#, "application/json", #"[{"iban":"(removed)"},1]"#),
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
        // What was cleaned stays as it is: replaying cleans again.
        #expect(rules.cleaned(cleaned) == cleaned)
    }

    @Test("give multipart requests boundaries that are the same each time")
    func boundaries() {
        func request(_ outer: String, _ inner: String) -> RecordedExchange.Request {
            let body = """
                --\(outer)\r\nContent-Type: multipart/mixed; boundary=\(inner)\r\n\r\n\
                --\(inner)\r\n\r\n\(outer)x\r\n--\(inner)--\r\n--\(outer)--\r\n
                """
            return .init(
                method: "POST", url: "http://h/",
                headers: [.contentType: "multipart/form-data; boundary=\"\(outer)\""], body: Bytes(body))
        }
        let cleaned = RecordingRules().cleaned(request("Boundary+0011", "Boundary+0011-A"))
        #expect(cleaned == RecordingRules().cleaned(request("0123456789", "abcdefghijk")))
        #expect(cleaned.headers[.contentType] == "multipart/form-data; boundary=\"recorded-boundary\"")
        #expect(String(decoding: cleaned.body, as: UTF8.self).contains("--recorded-boundary-1--"))
    }

    @Test("can be told to keep fields, and to rewrite every text")
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
}
