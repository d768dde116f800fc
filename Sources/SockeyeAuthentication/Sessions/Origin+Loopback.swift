package import SockeyeHTTP1

extension Origin {
    /// Whether the host is this machine, by the names and addresses reserved for that (RFC 6761 6.3, RFC 5735 3,
    /// RFC 4291 2.5.3).
    package var isLoopback: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || isLoopbackAddress
    }

    /// The normal form of an IPv4 address has four numbers; a name may begin the same way.
    private var isLoopbackAddress: Bool {
        guard host.hasPrefix("127.") else { return false }
        return host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) }
    }
}
