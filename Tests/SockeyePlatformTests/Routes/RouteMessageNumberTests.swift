import SockeyePlatform
import Testing

@Suite("Extreme lengths in rtnetlink messages")
struct RouteMessageNumberTests {
    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
    }

    static let extremeLengths: [UInt32] = [
        0, 1, 15, 16, 17, 27, 28, 31, 32, 33, 35, 36, 65_535, 1 << 31 - 1, 1 << 31, .max - 3, .max,
    ]

    @Test("a message or an attribute of any length is read or skipped", arguments: extremeLengths)
    func lengths(length: UInt32) {
        for kind in [2, 3, 16, 24] as [UInt16] {
            for attribute in [0, 1, 3, 4, 5, 8, 255, 65_532, 65_535] as [UInt16] {
                let body =
                    [UInt8](repeating: 1, count: 12) + Self.bytes(attribute) + Self.bytes(UInt16(4)) + [1, 0, 0, 0]
                let head = Self.bytes(length) + Self.bytes(kind) + Self.bytes(UInt16(0)) + Self.bytes(UInt32(7))
                _ = RouteMessage.answer(to: 7, in: head + Self.bytes(UInt32(0)) + body)
            }
            for code in [Int32.min, .min + 1, -1, 0, 1, .max] {
                let head =
                    Self.bytes(UInt32(20)) + Self.bytes(UInt16(2)) + Self.bytes(UInt16(0)) + Self.bytes(UInt32(7))
                _ = RouteMessage.answer(to: 7, in: head + Self.bytes(UInt32(0)) + Self.bytes(code))
            }
        }
    }
}
