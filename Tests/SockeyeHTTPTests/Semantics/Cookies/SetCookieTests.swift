import SockeyeHTTP
import Testing

@Suite("Set-Cookie fields") struct SetCookieTests {
    private func parse(_ field: String) throws(ClientCookie.Fault) -> SetCookie {
        try SetCookie(Array(field.utf8)[...])
    }

    @Test(
        "name and value end at the first semicolon and lose the blanks around them, but nothing else",
        arguments: [
            ("a=b", "a", "b"), ("  a \t=  b c  ; x", "a", "b c"), ("a=b=c", "a", "b=c"), ("a=\"b\"", "a", "\"b\""),
            ("a=%41%00", "a", "%41%00"), ("a=b,c=d", "a", "b,c=d"), ("a", "", "a"), ("=a=b", "", "a=b"),
            ("a=", "a", ""),
            ("ü=ö", "ü", "ö"), ("a=b;", "a", "b"), ("a;b=c", "", "a"),
        ] as [(String, String, String)])
    func pair(field: String, name: String, value: String) throws {
        let cookie = try parse(field)
        #expect(cookie.name == name)
        #expect(cookie.value == value)
    }

    @Test(
        "the fault of a malformed cookie names the reason",
        arguments: [
            ("", ClientCookie.Fault.empty), ("=", .empty), (" ; Path=/", .empty), ("a=\u{1}", .badCharacter),
            ("a=b; Path=/\u{7F}", .badCharacter), ("a=b\tc", .badCharacter), ("a\tb=c", .badCharacter),
            ("a=\r\nb", .badCharacter), ("a=b; Path=x; Path=/book\tx", .badCharacter), ("a=b; Domain=.", .badDomain),
            ("a=b; Domain=bücher.example", .badDomain),
            (String(repeating: "a", count: 2049) + "=" + String(repeating: "b", count: 2048), .tooLong),
        ] as [(String, ClientCookie.Fault)])
    func fault(field: String, fault: ClientCookie.Fault) {
        #expect(throws: fault) { try parse(field) }
    }

    @Test("a cookie that is not UTF-8 is refused, because it could not be sent back unchanged")
    func badBytes() {
        #expect(throws: ClientCookie.Fault.badCharacter) { try SetCookie([0x61, 0x3D, 0xFC]) }
    }

    @Test("a cookie is refused if its last path is not UTF-8, because another path would change its scope")
    func badPath() throws {
        let field = Array("a=b; Path=/caf".utf8) + [0xE9]
        #expect(throws: ClientCookie.Fault.badCharacter) { try SetCookie(field[...]) }
        #expect(try SetCookie((field + Array("; Path=/x".utf8))[...]).path == "/x")
        #expect(try SetCookie((field + Array("; Path=".utf8))[...]).path == nil)
    }

    @Test("a cookie with 4,096 bytes of name and value is accepted")
    func longest() throws {
        #expect(try parse("a=" + String(repeating: "b", count: 4095)).value.utf8.count == 4095)
    }

    @Test("attributes are read in any case and order, and the last of each name counts")
    func attributes() throws {
        let cookie = try parse(
            "a=b; PATH=/x; domain=.Example.COM; secure; Path=/y; HTTPONLY=1; samesite=sTRICT; max-age=10; Max-Age=20")
        #expect(cookie.path == "/y")
        #expect(cookie.domain == "example.com")
        #expect(cookie.isSecure && cookie.isHTTPOnly)
        #expect(cookie.sameSite == .strict)
        #expect(cookie.maxAge == 20)
    }

    @Test(
        "meaningless attributes are ignored",
        arguments: [
            "Path", "Path=x", "Path=\"/x\"", "Domain=", "Max-Age=", "Max-Age=1e3", "Max-Age=+5", "Max-Age=-",
            "Expires=soon",
            "SameSite=Any", "\"Secure\"", "Path=/" + String(repeating: "x", count: 1024),
        ])
    func nothing(attribute: String) throws {
        #expect(try parse("a=b; " + attribute) == parse("a=b"))
    }

    @Test(
        "Max-Age overrides Expires, and no cookie is kept for more than 400 days",
        arguments: [
            ("Max-Age=60", Int64(1060)), ("Max-Age=0", 0), ("Max-Age=-1", 0), ("Max-Age=00060", 1060),
            ("Max-Age=999999999999999999999999", 1000 + 34_560_000), ("Max-Age=34560001", 1000 + 34_560_000),
            ("Expires=Thu, 01 Jan 1970 00:30:00 GMT", 1800),
            ("Expires=Fri, 31 Dec 9999 23:59:59 GMT", 1000 + 34_560_000),
            ("Max-Age=60; Expires=Thu, 01 Jan 1970 00:30:00 GMT", 1060),
            ("Expires=Mon, 01 Jan 1601 00:00:00 GMT", -11_644_473_600),
            ("Max-Age=x; Expires=Thu, 01 Jan 1970 00:30:00 GMT", 1800),
        ] as [(String, Int64)])
    func expiration(attributes: String, expected: Int64) throws {
        #expect(try parse("a=b; " + attributes).expiration(at: 1000) == expected)
    }

    @Test("a cookie without a date has no expiration")
    func session() throws {
        #expect(try parse("a=b").expiration(at: 1000) == nil)
    }

    @Test(
        "dates that do not exist are ignored",
        arguments: [
            "31 Feb 2020 00:00:00", "29 Feb 2021 00:00:00", "00 Jan 2020 00:00:00", "1 Jan 1600 00:00:00",
            "1 Jan 2020 24:00:00", "1 Jan 2020 00:60:00", "1 Jan 2020 00:00:60", "1 Jan 2020", "2020 00:00:00", "",
            "::", "1 1 1 1",
        ])
    func noDate(text: String) {
        #expect(CookieDate.seconds(Array(text.utf8)[...]) == nil)
    }

    @Test(
        "a leap day is a valid date",
        arguments: [("29 Feb 2000 12:00:00", Int64(951_825_600)), ("28 Feb 1970 0:0:0", 5_011_200)] as [(String, Int64)]
    )
    func date(text: String, seconds: Int64) {
        #expect(CookieDate.seconds(Array(text.utf8)[...]) == seconds)
    }

    @Test("any bytes give a cookie or a fault")
    func noise() {
        var generator = SystemRandomNumberGenerator()
        let interesting = Array(";=, \t\"-0129:aADdmMpPsS/.\u{7F}\u{0}Expires=Max-Age=Domain=".utf8) + [0xC3, 0xFF]
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0..<80, using: &generator)).map { _ in
                interesting[Int.random(in: 0..<interesting.count, using: &generator)]
            }
            if let cookie = try? SetCookie(bytes[...]) {
                #expect(cookie.name.utf8.count + cookie.value.utf8.count <= bytes.count)
                _ = cookie.expiration(at: .max / 2)
            }
        }
    }
}
