extension Origin {
    /// Whether the host is this machine, by the names and addresses reserved for that (RFC 6761 6.3, RFC 5735 3,
    /// RFC 4291 2.5.3).
    package var isLoopback: Bool {
        unsafe ByteScan.withBytes(of: host.utf8) { host in
            switch unsafe host.first {
            case UInt8(ascii: "1"): unsafe Self.isLoopbackAddress(host)
            case UInt8(ascii: ":"): unsafe host.elementsEqual("::1".utf8)
            default: unsafe host.elementsEqual("localhost".utf8) || host.suffix(10).elementsEqual(".localhost".utf8)
            }
        }
    }

    /// Whether the host, which is known to be an IPv4 address, is one of this machine.
    var isInLoopbackNetwork: Bool { unsafe ByteScan.withBytes(of: host.utf8, Self.beginsLikeLoopback) }

    /// The normal form of an IPv4 address has four numbers; a name may begin the same way.
    private static func isLoopbackAddress(_ host: UnsafeRawBufferPointer) -> Bool {
        unsafe beginsLikeLoopback(host)
            && host.allSatisfy { $0 == UInt8(ascii: ".") || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) }
    }

    @inline(__always)
    private static func beginsLikeLoopback(_ host: UnsafeRawBufferPointer) -> Bool {
        guard host.count >= 4, let base = host.baseAddress else { return false }
        // "127."
        return unsafe UInt32(littleEndian: base.loadUnaligned(as: UInt32.self)) == 0x2E37_3231
    }
}
