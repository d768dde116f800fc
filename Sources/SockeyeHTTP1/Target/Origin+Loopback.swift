extension Origin {
    /// Whether the host is this machine, by the names and addresses reserved for that (RFC 6761 6.3, RFC 5735 3,
    /// RFC 4291 2.5.3).
    package var isLoopback: Bool {
        switch host.utf8.first {
        case UInt8(ascii: "1") where isLoopbackAddress: true
        case UInt8(ascii: ":"): host == "::1"
        default: host == "localhost" || host.hasSuffix(".localhost")
        }
    }

    /// The normal form of an IPv4 address has four numbers; a name may begin the same way.
    private var isLoopbackAddress: Bool {
        guard host.hasPrefix("127.") else { return false }
        var host = host
        return host.withUTF8 { bytes in
            bytes.allSatisfy { $0 == UInt8(ascii: ".") || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) }
        }
    }
}
