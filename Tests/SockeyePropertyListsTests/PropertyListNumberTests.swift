import Foundation
import SockeyeCore
import SockeyePropertyLists
import Testing

@Suite("Extreme numbers in binary property lists")
struct PropertyListNumberTests {
    static let extremes: [UInt64] = [
        0, 1, 7, 8, 9, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 32, 1 << 53, 1 << 60, 1 << 61, 1 << 62, 1 << 63 - 65,
        1 << 63 - 1, 1 << 63, .max - 7, .max,
    ]

    private static func big(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }

    /// Reads the list, and ignores the result: the test is that the process survives.
    private func read(_ bytes: [UInt8]) {
        do { _ = try PropertyListValue(propertyList: Bytes(bytes)) } catch {}
    }

    @Test("A trailer with any count, number or offset gives an error or a list", arguments: extremes, extremes)
    func trailer(first: UInt64, second: UInt64) {
        for third in Self.extremes {
            for width in [0, 1, 2, 8, 9, 255] as [UInt8] {
                let objects: [UInt8] = Array("bplist00".utf8) + [0xA1, 0x01, 0x09, 0x08, 0x0A]
                let sizes: [UInt8] = [0, 0, 0, 0, 0, 0, width, width]
                read(objects + sizes + Self.big(first) + Self.big(second) + Self.big(third))
            }
        }
    }

    @Test("An object with any length gives an error or an object", arguments: extremes)
    func lengths(length: UInt64) {
        for marker in [0x4F, 0x5F, 0x6F, 0x7F, 0xAF, 0xBF, 0xCF, 0xDF] as [UInt8] {
            for power in [0, 1, 2, 3, 4, 15] as [UInt8] {
                let width = 1 << Int(min(power, 4))
                let number = ([UInt8](repeating: 0, count: 8) + Self.big(length)).suffix(width)
                let objects = Array("bplist00".utf8) + [marker, 0x10 | power] + number + [0x08]
                read(
                    objects + [0, 0, 0, 0, 0, 0, 1, 1] + Self.big(1) + Self.big(0)
                        + Self.big(UInt64(objects.count - 1)))
            }
        }
    }
}
