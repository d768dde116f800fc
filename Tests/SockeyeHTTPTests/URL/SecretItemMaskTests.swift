import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite("The mask of secret values in URLs, forms and fields")
struct SecretItemMaskTests {
    @Test(
        "the mask replaces secret values in queries and fragments of URLs",
        arguments: [
            ("http://h/p", "http://h/p"), ("http://h/p?", "http://h/p?"), ("http://h/p?a=1", "http://h/p?a=1"),
            ("http://h/p?sig=s&a=1", "http://h/p?sig=*&a=1"), ("http://h/p?a=1&TOKEN=s", "http://h/p?a=1&TOKEN=*"),
            ("http://h/p?s%49g=s", "http://h/p?s%49g=*"), ("http://h/p?token=", "http://h/p?token="),
            ("http://h/p?token", "http://h/p?token"), ("http://h/p?token=a=b?c&d", "http://h/p?token=*&d"),
            ("http://h/p?sig=a;b=c", "http://h/p?sig=*"), ("http://h/p?a=1;sig=s", "http://h/p?a=1;sig=*"),
            ("http://h/p?sig=s#access_token=s&state=1", "http://h/p?sig=*#access_token=*&state=1"),
            ("/cb#/route?code=s&x=1", "/cb#/route?code=*&x=1"), ("#id_token=s", "#id_token=*"),
            ("http://h/token=s", "http://h/token=s"), ("?=s&==&&sig=s", "?=s&==&&sig=*"),
        ])
    func urls(url: String, expected: String) {
        #expect(SecretItemMask(mark: "*").masking(url: url) == expected)
    }

    @Test(
        "the mask replaces secret values in forms",
        arguments: [
            ("", ""), ("a=1&b", "a=1&b"), ("password=s#t&a=1", "password=*&a=1"), ("pass%77ord=s", "pass%77ord=*"),
        ])
    func forms(items: String, expected: String) {
        #expect(SecretItemMask(mark: "*").masking(items: items) == expected)
    }

    @Test("many secret values are replaced in linear time")
    func manyItems() {
        // With a long mark, copying all earlier output for each value would take half a minute.
        let (count, mark) = (20_000, String(repeating: "*", count: 1_000))
        var masked = ""
        let time = ProcessMeter.processorTime {
            masked = SecretItemMask(mark: mark).masking(items: String(repeating: "key=a&", count: count))
        }
        #expect(masked == String(repeating: "key=\(mark)&", count: count))
        #expect(time < .seconds(10), "\(time)")
    }

    @Test(
        "the mask replaces secret values in the URLs inside field values",
        arguments: [
            ("Location", "https://u:s@h/p?token=s&a=1", "https://h/p?token=*&a=1"), ("Location", "//u:s@h/", "//h/"),
            ("Location", "/p?a=@&sig=s t", "/p?a=@&sig=*"), ("Location", "/a//b@c", "/a//b@c"),
            (
                "Link", #"<https://h/p?token=s>; rel="next", </q?a=1&sig=s>; rel="last""#,
                #"<https://h/p?token=*>; rel="next", </q?a=1&sig=*>; rel="last""#
            ),
            ("Refresh", "5; url=/p?token=s", "5; url=/p?token=*"),
            ("Refresh", "5;URL=\"https://u:s@h/#sig=s\"", "5;URL=\"https://h/#sig=*\""),
            ("Content-Security-Policy", "report-uri https://h/?key=s 'self'", "report-uri https://h/?key=* 'self'"),
            ("Accept", "a/b; q=1, */*", "a/b; q=1, */*"), ("X-Mail", "ada@h.test?", "ada@h.test?"),
            ("User-Agent", "a//b@c", "a//b@c"), ("ETag", "\"token=s\"", "\"token=s\""), ("X", "", ""),
        ])
    func fields(name: String, value: String, expected: String) {
        #expect(SecretItemMask(mark: "*").masking(value, of: Headers.Name(name)) == expected)
    }

    @Test("a masked URL has neither user information nor secret values")
    func masked() throws {
        let url = try HTTPURL("https://ada:s@h/p?X-Amz-Signature=s&a=1#access_token=s")
        #expect(url.masked == "https://h/p?X-Amz-Signature=***&a=1#access_token=***")
    }
}
