import SockeyeNet
import SockeyeTestSupport
import Testing

@Suite struct AddressPolicyTests {
    @Test(
        "each address has its scope, and the policy publicOnly allows only global addresses",
        arguments: [
            ("8.8.8.8", .global), ("1.1.1.1", .global), ("172.32.0.1", .global), ("172.15.255.255", .global),
            ("100.128.0.0", .global), ("192.0.1.1", .global), ("198.20.0.1", .global), ("223.255.255.255", .global),
            ("0.0.0.0", .unspecified), ("0.1.2.3", .unspecified),
            ("127.0.0.1", .loopback), ("127.255.255.255", .loopback),
            ("10.0.0.1", .privateUse), ("172.16.0.1", .privateUse), ("172.31.255.255", .privateUse),
            ("192.168.255.255", .privateUse), ("100.64.0.1", .privateUse), ("100.127.255.255", .privateUse),
            ("169.254.169.254", .linkLocal), ("224.0.0.1", .multicast), ("239.255.255.255", .multicast),
            ("240.0.0.1", .reserved), ("255.255.255.255", .reserved), ("192.0.2.1", .reserved),
            ("198.51.100.1", .reserved),
            ("203.0.113.1", .reserved), ("198.18.0.1", .reserved), ("198.19.255.255", .reserved),
            ("192.0.0.1", .reserved),
            ("192.88.99.1", .reserved),
            // Azure's wire server, and its neighbours, which are ordinary public addresses.
            ("168.63.129.16", .linkLocal), ("168.63.129.15", .global), ("168.63.129.17", .global),
            ("::ffff:168.63.129.16", .linkLocal), ("64:ff9b::a83f:8110", .linkLocal), ("2002:a83f:8110::", .linkLocal),
            // The rest of IANA's registries: AS112 and AMT are public, all others are not.
            ("192.31.196.1", .global), ("192.52.193.1", .global), ("192.175.48.1", .global),
            ("192.0.0.9", .reserved), ("192.0.0.192", .reserved), ("100.100.100.200", .privateUse),
            ("100:0:0:1::1", .reserved), ("2001:1::1", .reserved), ("2001:2::1", .reserved), ("2001:10::1", .reserved),
            ("2001:30::1", .reserved), ("2620:4f:8000::1", .global), ("5f00::1", .reserved),
            ("fd00:ec2::254", .privateUse), ("fd20:ce::254", .privateUse),
            ("64:ff9b:1:7f00:0:100::", .privateUse), ("64:ff9b:2::1", .reserved), ("::ffff:0:127.0.0.1", .reserved),
            // A Teredo address whose server is this machine.
            ("2001:0:7f00:1::1", .reserved),
            ("2606:4700::1111", .global), ("2001:4860:4860::8888", .global), ("2a00::1", .global),
            ("2001:200::1", .global),
            ("::", .unspecified), ("::1", .loopback), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
            ("fc00::1", .privateUse), ("fd12:3456::1", .privateUse), ("fec0::1", .privateUse), ("ff02::1", .multicast),
            ("2001:db8::1", .reserved), ("3fff::1", .reserved), ("2001::1", .reserved), ("2001:20::1", .reserved),
            ("100::1", .reserved), ("4000::1", .reserved), ("fe00::1", .reserved),
            // Addresses that embed IPv4 ones.
            ("::ffff:127.0.0.1", .loopback), ("::ffff:10.0.0.1", .privateUse), ("::ffff:169.254.169.254", .linkLocal),
            ("::ffff:8.8.8.8", .global), ("::127.0.0.1", .loopback), ("64:ff9b::10.0.0.1", .privateUse),
            ("64:ff9b::8.8.8.8", .global), ("64:ff9b:1::8.8.8.8", .privateUse), ("2002:7f00:1::1", .loopback),
            ("2002:a00:1::", .privateUse), ("2002:808:808::", .global),
        ] as [(String, EndpointAddress.Scope)])
    func scopes(literal: String, scope: EndpointAddress.Scope) {
        #expect(address(literal).scope == scope)
        #expect(EndpointAddress.Policy.publicOnly.allows(address(literal)) == (scope == .global))
        #expect(EndpointAddress.Policy.any.allows(address(literal)))
    }

    @Test("a unix-domain socket counts as loopback")
    func unix() throws {
        let path = try #require(EndpointAddress(unixPath: "/tmp/x"))
        #expect(path.scope == .loopback)
        #expect(!EndpointAddress.Policy.publicOnly.allows(path))
    }
}
