import Testing

@testable import SockeyeHTTP

@Suite("Retry-After")
struct RetryAfterTests {
    private static let now: Int64 = 784_111_777

    @Test(
        "Retry-After is a number of seconds, or a date relative to the server's Date or else to the local time",
        arguments: [
            ("120", nil, .seconds(120)), ("0", nil, .zero), ("007", nil, .seconds(7)),
            ("1.5", nil, .seconds(2)), ("0.001", nil, .seconds(1)), ("2.000", nil, .seconds(2)),
            ("3.", nil, .seconds(3)),
            (".5", nil, .seconds(1)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", nil, .seconds(10)),
            ("Sunday, 06-Nov-94 08:49:47 GMT", nil, .seconds(10)), ("Sun Nov  6 08:49:47 1994", nil, .seconds(10)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", "Sun, 06 Nov 1994 08:49:45 GMT", .seconds(2)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", "yesterday", .seconds(10)),
            ("Sun, 06 Nov 1994 08:49:27 GMT", nil, .zero),
            ("Sun, 06 Nov 1994 08:49:47 GMT", "Mon, 07 Nov 1994 08:49:45 GMT", .zero),
        ] as [(String, String?, Duration)])
    func values(value: String, date: String?, pause: Duration) {
        #expect(RetryAfter.pause(value, date: date, now: Self.now) == pause)
    }

    @Test(
        "a malformed Retry-After is ignored",
        arguments: [
            nil, "", "-1", "+1", ".", "1.5.1", "1.5s", "1,5", "1 ", "1, 2", "soon", "١٢", "0x10", "Sun, 06 Nov 1994",
            "NaN", "1e3",
        ])
    func garbage(value: String?) {
        #expect(RetryAfter.pause(value, date: nil, now: Self.now) == nil)
    }

    @Test(
        "a pause is at most 68 years",
        arguments: [
            "2147483648", "2147483647.5", "9223372036854775807", "9223372036854775808",
            String(repeating: "9", count: 10_000),
            "Fri, 31 Dec 9999 23:59:59 GMT",
        ])
    func huge(value: String) {
        #expect(RetryAfter.pause(value, date: nil, now: Self.now) == .seconds(1 << 31))
    }

    @Test("no value of the clock makes the pause overflow", arguments: [Int64.min, .max])
    func clocks(now: Int64) {
        let pause = RetryAfter.pause("Sun, 06 Nov 1994 08:49:47 GMT", date: nil, now: now)
        #expect(pause == nil || pause == .zero)
    }
}
