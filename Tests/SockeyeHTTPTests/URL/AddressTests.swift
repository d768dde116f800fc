import SockeyeHTTP
import Testing

@Suite struct AddressTests {
    @Test(
        "the canonical form of an IPv4 address is read and written back unchanged",
        arguments: ["0.0.0.0", "127.0.0.1", "255.255.255.255", "10.20.30.40"])
    func canonical(text: String) {
        #expect(IPv4Address(text)?.description == text)
    }

    @Test(
        "text in another form is not an IPv4 address",
        arguments: [
            "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "01.2.3.4", "1.2.3.00", "256.0.0.0",
            "1.2.3.4 ", "0x1.2.3.4", "1.2.3.4444444444",
        ]
    )
    func refused(text: String) {
        #expect(IPv4Address(text) == nil)
    }

    @Test(
        "IPv6 addresses are written as RFC 5952 asks",
        arguments: [
            ("2001:0DB8:0000:0000:0000:0000:0002:0001", "2001:db8::2:1"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("::", "::"),
            ("1::", "1::"),
            ("::1", "::1"), ("1:2:3:4:5:6:0:0", "1:2:3:4:5:6::"), ("0:0:1::", "0:0:1::"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ]
    )
    func compressed(text: String, expected: String) {
        #expect(IPv6Address(text.utf8)?.description == expected)
        #expect(IPv6Address(expected.utf8) == IPv6Address(text.utf8))
    }

    @Test(
        "link-local addresses are recognised",
        arguments: [
            ("fe80::1", true), ("febf::", true), ("fec0::", false), ("ff02::1", true), ("ff0e::1", false),
            ("::1", false),
        ])
    func linkLocal(text: String, expected: Bool) {
        #expect(IPv6Address(text.utf8)?.isLinkLocal == expected)
    }
}
