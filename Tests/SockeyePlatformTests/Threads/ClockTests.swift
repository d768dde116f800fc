import Foundation
import SockeyePlatform
import Testing

@Suite("Clocks")
struct ClockTests {
    @Test("the monotonic clock never goes back")
    func monotonic() {
        var last = SystemClock.monotonicNanoseconds
        for _ in 0..<10_000 {
            let now = SystemClock.monotonicNanoseconds
            #expect(now >= last)
            last = now
        }
    }

    @Test("the monotonic clock advances")
    func advances() {
        let start = SystemClock.monotonicNanoseconds
        while SystemClock.monotonicNanoseconds == start {}
        #expect(SystemClock.monotonicNanoseconds > start)
    }

    @Test("the wall clock agrees with Foundation's")
    func wall() {
        #expect(abs(Double(SystemClock.unixTime) - Date.now.timeIntervalSince1970) < 5)
    }

    @Test(
        "a date in UTC is converted to seconds and text",
        arguments: [
            (CalendarTime(year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0), 0, "1970-01-01 00:00:00 UTC"),
            (
                CalendarTime(year: 2000, month: 2, day: 29, hour: 23, minute: 59, second: 59), 951_868_799,
                "2000-02-29 23:59:59 UTC"
            ),
            (
                CalendarTime(year: 2100, month: 3, day: 1, hour: 9, minute: 5, second: 7), 4_107_575_107,
                "2100-03-01 09:05:07 UTC"
            ),
            (
                CalendarTime(year: 1950, month: 6, day: 15, hour: 1, minute: 2, second: 3), -616_892_277,
                "1950-06-15 01:02:03 UTC"
            ),
            (
                CalendarTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59), 253_402_300_799,
                "9999-12-31 23:59:59 UTC"
            ),
        ])
    func calendar(time: CalendarTime, seconds: Int, text: String) {
        #expect(time.unixTime == seconds)
        #expect(time.text == text)
    }
}
