import CSockeyeSystem
import Glibc

/// A socket address in the form that system calls take (sockaddr_in, sockaddr_in6, sockaddr_un).
package enum SystemAddress: Sendable, Hashable {
    /// The address in network byte order.
    case ipv4(UInt32, port: UInt16)
    /// The two halves of the address, in memory order.
    case ipv6(UInt64, UInt64, port: UInt16, scope: UInt32)
    /// A path, or after a leading NUL a name in Linux's abstract name space (unix(7)).
    case unix(String)

    /// The longest path of a unix-domain socket, in bytes.
    package static var longestPath: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

    /// The address family: AF_INET, AF_INET6 or AF_UNIX.
    package var domain: Int32 {
        switch self {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    /// Converts an address that a system call filled in; nil for other families.
    init?(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
        let raw = unsafe UnsafeRawPointer(address)
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let v4 = unsafe raw.loadUnaligned(as: sockaddr_in.self)
            self = .ipv4(v4.sin_addr.s_addr, port: UInt16(bigEndian: v4.sin_port))
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            let v6 = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
            let halves = Self.halves(of: v6.sin6_addr)
            self = .ipv6(halves.0, halves.1, port: UInt16(bigEndian: v6.sin6_port), scope: v6.sin6_scope_id)
        case AF_UNIX:
            let header = MemoryLayout<sa_family_t>.size
            let path = unsafe UnsafeRawBufferPointer(start: raw + header, count: max(0, Int(length) - header))
            let abstract = unsafe path.first == 0
            let end = unsafe abstract ? path.count : path.firstIndex(of: 0) ?? path.count
            unsafe self = .unix(String(decoding: path[..<end], as: UTF8.self))
        default:
            return nil
        }
    }

    /// Calls `body` with the C structure; the pointer is valid only during the call.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        func call<Address>(_ address: Address, length: Int = MemoryLayout<Address>.size) -> Result {
            unsafe withUnsafePointer(to: address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, socklen_t(length)) }
            }
        }
        switch self {
        case .ipv4(let bits, let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = bits
            return call(address)
        case .ipv6(let high, let low, let port, let scope):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = scope
            unsafe withUnsafeMutableBytes(of: &address.sin6_addr) {
                unsafe $0.storeBytes(of: high, as: UInt64.self)
                unsafe $0.storeBytes(of: low, toByteOffset: 8, as: UInt64.self)
            }
            return call(address)
        case .unix(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
            // An abstract name has no terminator and ends with its length; a path ends at its NUL.
            let isAbstract = path.utf8.first == 0
            return call(address, length: MemoryLayout<sa_family_t>.size + path.utf8.count + (isAbstract ? 0 : 1))
        }
    }
}

// MARK: Text of IP addresses

extension SystemAddress {
    /// Parses an IPv4 literal into its bits in network byte order (inet_pton(3)). `text` must not contain a NUL, at
    /// which C stops reading.
    package static func ipv4Bits(_ text: String) -> UInt32? {
        var address = in_addr()
        return unsafe inet_pton(AF_INET, text, &address) == 1 ? address.s_addr : nil
    }

    /// Parses an IPv6 literal, without brackets or a zone, into its two halves in memory order. `text` must not contain
    /// a NUL.
    package static func ipv6Halves(_ text: String) -> (UInt64, UInt64)? {
        var address = in6_addr()
        return unsafe inet_pton(AF_INET6, text, &address) == 1 ? halves(of: address) : nil
    }

    /// Returns an IPv6 address in its shortest form (RFC 5952).
    package static func text(ofIPv6 high: UInt64, _ low: UInt64) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            var halves = (high, low)
            unsafe inet_ntop(AF_INET6, &halves, text.baseAddress, socklen_t(INET6_ADDRSTRLEN))
            return unsafe String(cString: text.baseAddress!)
        }
    }

    /// Returns the index of a network interface, for the zone of an IPv6 address; 0 if it does not exist.
    package static func interfaceIndex(_ name: String) -> UInt32 { unsafe if_nametoindex(name) }

    private static func halves(of address: in6_addr) -> (UInt64, UInt64) {
        unsafe withUnsafeBytes(of: address) {
            unsafe ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }
}
