import Testing

@testable import SockeyeHTTP

/// FieldCopy copies and checks several bytes per step. These tests compare its results with the grammar.
@Suite("Copied field names and values") struct FieldCopyTests {
    /// The copied bytes. `isIntact` is true if the copy changed no byte before its place and none beyond the slack
    /// behind it.
    private func copied(_ bytes: [UInt8], isName: Bool) -> (bytes: [UInt8], isAllowed: Bool, isIntact: Bool) {
        var room = [UInt8](repeating: 0xAA, count: 1 + bytes.count + FieldCopy.slack + 1)
        let isAllowed = unsafe room.withUnsafeMutableBytes { room in
            unsafe bytes.withUnsafeBytes { bytes in
                guard let place = unsafe room.baseAddress.map({ unsafe $0 + 1 }) else { return false }
                return unsafe isName ? FieldCopy.copy(name: bytes, to: place) : FieldCopy.copy(value: bytes, to: place)
            }
        }
        return (Array(room[1..<1 + bytes.count]), isAllowed, room.first == 0xAA && room.last == 0xAA)
    }

    @Test("a copy has the same bytes at every length", arguments: 0...70)
    func lengths(count: Int) {
        let name = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        for isName in [true, false] {
            let copy = copied(name, isName: isName)
            #expect(copy.bytes == name && copy.isIntact && copy.isAllowed == (count > 0 || !isName))
        }
    }

    /// RFC 9110 5.1 and 5.5. Tries every byte at every position and length, so that each step of the copy is covered.
    @Test("a copy is refused for any byte that RFC 9110 does not allow, at any position")
    func bytes() {
        for byte in UInt8.min...UInt8.max {
            let isValue = byte >= 0x20 && byte != 0x7F || byte == 0x09
            for count in 1...40 {
                for position in 0..<count {
                    var bytes = [UInt8](repeating: UInt8(ascii: "z"), count: count)
                    bytes[position] = byte
                    let (name, value) = (copied(bytes, isName: true), copied(bytes, isName: false))
                    guard name.isAllowed == ByteClass.isToken(byte), value.isAllowed == isValue,
                        name.bytes == bytes, value.bytes == bytes
                    else {
                        Issue.record("byte \(byte) at \(position) of \(count)")
                        return
                    }
                }
            }
        }
    }
}
