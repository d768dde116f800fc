import Testing

@testable import SockeyeHTTP

/// The searches that examine 16 or 8 bytes at a time, compared with searches byte by byte.
@Suite struct ByteScanTests {
    @Test("a search stops at each byte of its class, at every position of a block or word", arguments: Search.allCases)
    func everyPlace(search: Search) {
        // Two blocks, a word, and a rest that is too short to be searched.
        let count = 16 + 16 + 8 + 3
        for position in 0..<count {
            for byte in UInt8.min...UInt8.max {
                var bytes = [UInt8](repeating: search.usual, count: count)
                bytes[position] = byte
                let expected = search.stops(byte) && position < count - 3 ? position : nil
                #expect(search.run(bytes, from: 0) == expected, "\(byte) at \(position)")
            }
        }
    }

    @Test("a search finds the first match at or after its start", arguments: Search.allCases)
    func first(search: Search) {
        for start in 0..<20 {
            for position in start..<start + 20 {
                var bytes = [UInt8](repeating: search.usual, count: 64)
                for before in 0..<start { bytes[before] = 0 }
                for behind in position..<64 { bytes[behind] = behind % 2 == 0 ? 0x0D : 0x7F }
                #expect(search.run(bytes, from: start) == position)
            }
        }
    }

    @Test("a search skips a rest of fewer than eight bytes", arguments: Search.allCases)
    func short(search: Search) {
        for count in 0..<8 { #expect(search.run([UInt8](repeating: 0, count: count), from: 0) == nil) }
    }

    @Test("text of at least eight bytes is printable ASCII if each of its bytes is", arguments: [0, 7, 8, 9, 16, 21])
    func printable(count: Int) {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        #expect(unsafe text.withUnsafeBytes { unsafe ByteScan.isPrintableASCII($0) } == (count >= 8))
        for position in 0..<count {
            for byte in UInt8.min...UInt8.max {
                var bytes = text
                bytes[position] = byte
                let isPrintable = unsafe bytes.withUnsafeBytes { unsafe ByteScan.isPrintableASCII($0) }
                #expect(isPrintable == (count >= 8 && 0x20...0x7E ~= byte), "\(byte) at \(position) of \(count)")
            }
        }
    }

    enum Search: String, CaseIterable {
        case controls, unusualInNames

        /// A byte that the search passes over.
        var usual: UInt8 { self == .controls ? 0x20 : UInt8(ascii: "a") }

        func stops(_ byte: UInt8) -> Bool {
            if self == .controls { return byte < 0x20 || byte == 0x7F }
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return false
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return false
            default: return true
            }
        }

        func run(_ bytes: [UInt8], from start: Int) -> Int? {
            unsafe (bytes + [0]).withUnsafeBytes { memory in
                guard let base = memory.baseAddress else { return nil }
                return switch self {
                case .controls: unsafe ByteScan.firstControlInWords(base, from: start, to: bytes.count)
                case .unusualInNames: unsafe ByteScan.firstUnusualInNames(base, from: start, to: bytes.count)
                }
            }
        }
    }
}
