import SockeyeHTTP
import SockeyeTransfers
import Testing

/// The values of the fields that request and describe parts.
@Suite struct RangeFieldTests {
    @Test(
        "Content-Range is read and written",
        arguments: [
            ("bytes 0-99/1000", ContentRange.part(first: 0, last: 99, total: 1000)),
            ("bytes 999-999/1000", .part(first: 999, last: 999, total: 1000)),
            ("bytes 5-9/*", .part(first: 5, last: 9, total: nil)),
            ("bytes */1000", .unsatisfied(total: 1000)),
            ("bytes */0", .unsatisfied(total: 0)),
            ("bytes 0-4611686018427387903/4611686018427387904", .part(first: 0, last: (1 << 62) - 1, total: 1 << 62)),
        ])
    func contentRange(text: String, range: ContentRange) {
        #expect(ContentRange(text) == range)
        #expect(range.description == text)
    }

    @Test("the unit is read in any case, and blanks around the value do not matter")
    func contentRangeUnit() {
        #expect(ContentRange(" BYTES \t0-0/1 ") == .part(first: 0, last: 0, total: 1))
        #expect(ContentRange("*/100") == .unsatisfied(total: 100))
    }

    @Test(
        "a malformed Content-Range, or one in another unit, is ignored",
        arguments: [
            "", "bytes", "bytes ", "bytes 0-99", "bytes 0-99/", "bytes /10", "bytes -/10", "bytes 0-/10", "bytes -5/10",
            "bytes 5-4/10", "bytes 0-10/10", "bytes */*", "bytes * / 10", "bytes=0-9/10", "items 0-9/10",
            "bytes 0-9/10, bytes 10-19/20", "bytes 0-9/4611686018427387905", "bytes 0-4611686018427387905/*",
            "bytes 18446744073709551616-18446744073709551617/*", "bytes +0-9/10", "bytes 0x0-9/10", "bytes 0-9/10;x",
            "bytes0-9/10", "bytes 0 - 9/10", "bytes ٠-٩/10",
        ])
    func noContentRange(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test("several Content-Range fields count only if they are equal")
    func severalContentRanges() {
        #expect(ContentRange(["bytes 0-1/2", "bytes 0-1/2"]) == .part(first: 0, last: 1, total: 2))
        #expect(ContentRange(["bytes 0-1/2", "bytes 0-1/3"]) == nil)
        #expect(ContentRange([]) == nil)
    }

    @Test(
        "Range is read and written",
        arguments: [
            ("bytes=0-", [ByteRange.from(0)]), ("bytes=500-999", [.through(first: 500, last: 999)]),
            ("bytes=-500", [.suffix(500)]), ("Bytes= 0-0 , ,-1", [.through(first: 0, last: 0), .suffix(1)]),
        ])
    func ranges(text: String, ranges: [ByteRange]) {
        #expect(ByteRange.parse(text) == ranges)
        #expect(ByteRange.parse("bytes=" + ranges.map(\.description).joined(separator: ",")) == ranges)
        #expect(ranges.count > 1 || ranges[0].fieldValue == text)
    }

    @Test(
        "a malformed Range, or one in another unit, is not parsed",
        arguments: [
            "", "bytes=", "bytes=,", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes 0-1", "items=0-1", "bytes=0-1,x",
            "bytes=99999999999999999999-", "bytes=" + String(repeating: "0-,", count: 65),
        ])
    func noRanges(text: String) {
        #expect(ByteRange.parse(text) == nil)
    }

    @Test(
        "Accept-Ranges is read as bytes, none or unknown",
        arguments: [
            (["bytes"], RangeSupport.bytes), (["Bytes"], .bytes), (["items, bytes"], .bytes), (["none"], .none),
            (["items"], .none), ([], .unknown), ([" , "], .unknown), (["bytesize"], .none),
        ])
    func support(values: [String], support: RangeSupport) {
        #expect(RangeSupport(values) == support)
    }
}
