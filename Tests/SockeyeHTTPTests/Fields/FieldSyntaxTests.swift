import Testing

@testable import SockeyeHTTP

/// FieldSyntax checks several bytes per step. These tests compare its results with the grammar.
@Suite("Syntax of field names and values") struct FieldSyntaxTests {
    private func isName(_ bytes: [UInt8]) -> Bool { unsafe bytes.withUnsafeBytes { unsafe FieldSyntax.isName($0) } }
    private func isValue(_ bytes: [UInt8]) -> Bool { unsafe bytes.withUnsafeBytes { unsafe FieldSyntax.isValue($0) } }

    @Test("a name or a value of letters may have any length, but a name may not be empty", arguments: 0...70)
    func lengths(count: Int) {
        let bytes = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        #expect(isName(bytes) == (count > 0))
        #expect(isValue(bytes))
    }

    /// RFC 9110 5.1 and 5.5. Tries every byte at every position and length, so that each step of the check is covered.
    @Test("any byte that RFC 9110 does not allow is refused, at any position")
    func bytes() {
        for byte in UInt8.min...UInt8.max {
            let isInValues = byte >= 0x20 && byte != 0x7F || byte == 0x09
            for count in 1...40 {
                for position in 0..<count {
                    var bytes = [UInt8](repeating: UInt8(ascii: "z"), count: count)
                    bytes[position] = byte
                    guard isName(bytes) == ByteClass.isToken(byte), isValue(bytes) == isInValues else {
                        Issue.record("byte \(byte) at \(position) of \(count)")
                        return
                    }
                }
            }
        }
    }

    @Test("a value may have tabs, but no other control byte after them")
    func tabs() {
        #expect(isValue(Array("a\tb\t\tc".utf8)))
        #expect(!isValue(Array("a\tb\u{B}c".utf8)))
    }
}
