import HTTPTypes
import Testing

@testable import SockeyeHTTP

@Suite struct FieldNameTests {
    @Test("a name compares and hashes without regard to case")
    func caseless() {
        let name: Headers.Name = "content-TYPE"
        #expect(name == .contentType)
        #expect(name.hashValue == Headers.Name.contentType.hashValue)
        #expect(name.description == "content-TYPE")
        #expect(name != .contentEncoding)
        #expect(Headers.Name("a-b") != Headers.Name("a\rb"))
        #expect(Headers.Name("[") != Headers.Name("{"))
        #expect(Headers.Name("\u{C4}") != Headers.Name("\u{E4}"))
        #expect(Set(["A", "a", "B"] as [Headers.Name]) == ["a", "b"])
    }

    @Test(
        "a name can hold any text and reports if it is a token",
        arguments: [
            ("Accept", true), ("x_1!#$%&'*+-.^`|~", true), ("", false), ("A B", false), ("A:", false),
            ("A\r\nB", false),
            ("\u{E9}", false), ("A\u{0}", false), ("A(", false),
        ])
    func validity(text: String, isValid: Bool) {
        #expect(Headers.Name(text).isValid == isValid)
    }

    @Test("a name can be made from a name of swift-http-types")
    func httpTypes() {
        #expect(Headers.Name(HTTPField.Name.ifNoneMatch) == .ifNoneMatch)
        #expect(Headers.Name(HTTPField.Name("X-A")!).description == "X-A")
    }

    /// ByteClass stores the classes as bits. This test compares them with lists of characters, byte by byte.
    @Test("the byte classes follow the RFC grammar, except that a target may contain all visible ASCII but #")
    func classes() {
        let alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        let token = Set((alphanumeric + "!#$%&'*+-.^_`|~").utf8)
        let authority = Set((alphanumeric + "-._~!$&'()*+,;=%:[]").utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(ByteClass.isToken(byte) == token.contains(byte))
            #expect(ByteClass.isAuthority(byte) == authority.contains(byte))
            #expect(ByteClass.isTarget(byte) == (0x21...0x7E ~= byte && byte != UInt8(ascii: "#")))
            #expect(ByteClass.isControl(byte) == (byte < 0x20 || byte == 0x7F))
            #expect(ByteClass.isDigit(byte) == (UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte))
            let scalar = Character(Unicode.Scalar(byte))
            #expect(ByteClass.hexValue(byte).map(Int.init) == (byte < 128 ? scalar.hexDigitValue : nil))
        }
    }

    @Test("the scan finds the first control byte at any position")
    func controlScan() {
        for byte in UInt8.min...UInt8.max {
            for count in 1...20 {
                for position in 0..<count {
                    var bytes = [UInt8](repeating: position % 2 == 0 ? 0xFF : 0x20, count: count)
                    bytes[position] = byte
                    let found = unsafe bytes.withUnsafeBytes {
                        unsafe ByteScan.firstControl($0.baseAddress!, from: 0, to: count)
                    }
                    #expect(found == (ByteClass.isControl(byte) ? position : count))
                }
            }
        }
    }
}
