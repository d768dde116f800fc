import SockeyeHTTP
import Testing

/// Strong validators. Parts of a download are combined only if their strong validators are equal.
@Suite struct StrongValidatorTests {
    private static let change = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        "an entity tag is read and written",
        arguments: [("\"v1\"", false), ("W/\"v1\"", true), ("\"\"", false), ("\"a,b\\\"", false)])
    func entityTag(text: String, isWeak: Bool) throws {
        let tag = try #require(EntityTag(text))
        #expect(tag.isWeak == isWeak && tag.description == text)
    }

    @Test(
        "a malformed entity tag is not parsed",
        arguments: [
            "", "v1", "\"", "\"v1", "v1\"", "w/\"v1\"", "W/v1", "\"a\"b\"", "\"a b\"", "\"a\u{7F}\"", "\"ä\"", "*",
            "\"a\", \"b\"", "\"" + String(repeating: "x", count: 5000) + "\"",
        ])
    func noEntityTag(text: String) {
        #expect(EntityTag(text) == nil)
    }

    @Test("entity tags match only if both are strong and equal (RFC 9110 8.8.3.2)")
    func matching() throws {
        let strong = try #require(EntityTag("\"1\""))
        let weak = try #require(EntityTag("W/\"1\""))
        let other = try #require(EntityTag("\"2\""))
        #expect(strong.stronglyMatches(strong))
        #expect(!weak.stronglyMatches(weak) && !weak.stronglyMatches(strong) && !strong.stronglyMatches(weak))
        #expect(!strong.stronglyMatches(other))
    }

    @Test("a strong entity tag precedes Last-Modified, and a weak, malformed or repeated tag gives no validator")
    func choice() throws {
        let date = "Sun, 06 Nov 1994 09:49:37 GMT"
        func choose(_ tags: [String]) -> StrongValidator? {
            StrongValidator(eTags: tags, lastModified: [Self.change], date: date)
        }
        #expect(choose(["\"v1\""])?.fieldValue == "\"v1\"")
        #expect(choose(["W/\"v1\""]) == nil)
        #expect(choose(["v1"]) == nil)
        #expect(choose(["\"v1\"", "\"v2\""]) == nil)
        #expect(choose([]) == .lastModified(Self.change))
    }

    @Test(
        "Last-Modified is strong if Date is at least a second later (RFC 9110 8.8.2.2)",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:38 GMT", true), ("Mon, 07 Nov 1994 00:00:00 GMT", true),
            ("Thu, 01 Dec 1994 00:00:00 GMT", true), ("Sun, 01 Jan 1995 00:00:00 GMT", true),
            ("Sun, 06 Nov 1994 08:49:37 GMT", false), ("Sun, 06 Nov 1994 08:49:36 GMT", false),
            ("Mon, 31 Oct 1994 23:59:59 GMT", false), ("Sunday, 06-Nov-95 08:49:37 GMT", false), ("later", false),
        ])
    func lastModified(date: String, isStrong: Bool) {
        let validator = StrongValidator(eTags: [], lastModified: [Self.change], date: date)
        #expect((validator != nil) == isStrong)
    }

    @Test("without Date, or with a repeated or malformed Last-Modified, there is no validator")
    func noLastModified() {
        let date = "Sun, 06 Nov 1995 08:49:37 GMT"
        #expect(StrongValidator(eTags: [], lastModified: [Self.change], date: nil) == nil)
        #expect(StrongValidator(eTags: [], lastModified: [Self.change, date], date: date) == nil)
        #expect(StrongValidator(eTags: [], lastModified: ["Sun, 06 Foo 1994 08:49:37 GMT"], date: date) == nil)
        #expect(StrongValidator(eTags: [], lastModified: [], date: date) == nil)
    }

    @Test("a validator that is written into a field is read back")
    func roundTrip() {
        for text in ["\"v1\"", Self.change] { #expect(StrongValidator(fieldValue: text)?.fieldValue == text) }
        for text in ["W/\"v1\"", "v1", ""] { #expect(StrongValidator(fieldValue: text) == nil) }
    }
}
