import Foundation
import SockeyeTestSupport
import Testing

@testable import SockeyeSerialization

@Suite("Dates as text")
struct DateTextTests {
    @Test("dates of the years 1600 to 9999 agree with Foundation", arguments: UInt64(1)...4)
    func random(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        let formatter = ISO8601DateFormatter()
        for _ in 0..<500 {
            // From 1600: before 1582 Foundation's formatters use the Julian calendar, but RFC 3339 does not.
            let seconds = Double(Int64.random(in: -11_676_096_000..<253_402_300_800, using: &generator))
            let date = Date(timeIntervalSince1970: seconds)
            let text = try #require(DateText(date))
            #expect(text.iso8601 == formatter.string(from: date))
            // Foundation has no description of dates after `distantFuture`.
            if date < .distantFuture { #expect(text.spaced == date.description) }
        }
    }

    @Test(
        "dates are right at ends of years, on leap days and at the epoch",
        arguments: [
            (-62_167_219_200.0, "0000-01-01T00:00:00.000Z"), (-62_135_596_800, "0001-01-01T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"), (4_107_542_400, "2100-03-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.000Z"), (-0.0004, "1970-01-01T00:00:00.000Z"),
            (0.9996, "1970-01-01T00:00:01.000Z"), (253_402_300_799.999, "9999-12-31T23:59:59.999Z"),
        ])
    func marks(seconds: Double, text: String) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(try #require(DateText(date, rounding: true)).iso8601WithMilliseconds == text)
    }

    @Test(
        "dates outside the years 0 to 9999 have no text",
        arguments: [-62_167_219_200.001, 253_402_300_800, .infinity, -.infinity, .nan, 1e300, -1e300])
    func limits(seconds: Double) {
        #expect(DateText(Date(timeIntervalSince1970: seconds)) == nil)
    }
}
