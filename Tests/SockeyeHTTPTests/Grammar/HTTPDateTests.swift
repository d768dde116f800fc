import Testing

@testable import SockeyeHTTP

@Suite("HTTP dates")
struct HTTPDateTests {
    /// The current time of the tests: 2026-01-01 00:00:00 UTC.
    private static let now: Int64 = 1_767_225_600

    @Test(
        "the three forms of RFC 9110 5.6.7 give the same time",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func forms(text: String) {
        #expect(HTTPDate(text, now: Self.now)?.secondsSinceEpoch == 784_111_777)
    }

    @Test(
        "dates follow the Gregorian calendar from year 1",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Sun, 28 Feb 2100 00:00:00 GMT", 4_107_456_000),
            ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Sun, 06 Nov 1994 00:00:00 GMT", 784_080_000),
        ] as [(String, Int64)])
    func calendar(text: String, seconds: Int64) {
        #expect(HTTPDate(text, now: Self.now)?.secondsSinceEpoch == seconds)
    }

    @Test(
        "a year of two digits is at most 50 years ahead",
        arguments: [
            ("Monday, 01-Jan-30 00:00:00 GMT", 1_893_456_000), ("Monday, 01-Jan-76 00:00:00 GMT", 3_345_062_400),
            ("Monday, 01-Jan-77 00:00:00 GMT", 220_924_800), ("Monday, 01-Jan-26 00:00:00 GMT", 1_767_225_600),
        ] as [(String, Int64)])
    func shortYears(text: String, seconds: Int64) {
        #expect(HTTPDate(text, now: Self.now)?.secondsSinceEpoch == seconds)
    }

    @Test("the century of a two-digit year depends on the current time")
    func century() {
        let late1999: Int64 = 946_000_000
        #expect(HTTPDate("Saturday, 01-Jan-05 00:00:00 GMT", now: late1999)?.secondsSinceEpoch == 1_104_537_600)
    }

    @Test(
        "text in another form, or with a date or time that does not exist, is not a date",
        arguments: [
            "", " ", "0", "Sun", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT",
            "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 ", "Sun, 06 Nov 1994 08:49:37 GMT, ",
            "sun, 06 nov 1994 08:49:37 gmt", "Sun, 06 Nov -994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
            "1994-11-06T08:49:37Z", "Sun, 06 Nov 19940000000000 08:49:37 GMT", "Sün, 06 Nov 1994 08:49:37 GMT",
        ])
    func garbage(text: String) {
        #expect(HTTPDate(text, now: Self.now) == nil)
    }

    @Test("a date with a two-digit year is read without a trap, whatever the current time")
    func clocks() {
        for now in [Int64.min, -1, 0, .max] { _ = HTTPDate("Monday, 01-Jan-77 00:00:00 GMT", now: now) }
    }
}
