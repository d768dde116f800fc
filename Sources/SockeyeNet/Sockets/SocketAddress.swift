package import CSockeyeSystem
import Glibc

/// Where a socket connects to or listens: an IPv4 or IPv6 address with a port, or the path of a unix-domain socket.
public struct SocketAddress: Sendable, Hashable {
    /// The kinds of address.
    public enum Family: Sendable, Hashable {
        /// An IPv4 address and a port.
        case ipv4
        /// An IPv6 address, a port and, for link-local addresses, the interface it belongs to.
        case ipv6
        /// A path in the file system, or a name in Linux's abstract space.
        case unix
    }

    private enum Storage: Sendable, Hashable {
        /// The address in network byte order.
        case ipv4(UInt32, port: UInt16)
        /// The two halves of the address as they lie in memory.
        case ipv6(UInt64, UInt64, port: UInt16, scope: UInt32)
        case unix(String)
    }

    private let storage: Storage

    /// Parses an IPv4 or IPv6 literal (no brackets; `%interface` or `%index` may follow an IPv6 address).
    ///
    /// - Returns: nil when `literal` is not an address, or names an interface that does not exist.
    public init?(literal: String, port: Int) {
        guard let port = UInt16(exactly: port), !literal.utf8.contains(0) else { return nil }
        var v4 = in_addr()
        if unsafe inet_pton(AF_INET, literal, &v4) == 1 {
            self.init(storage: .ipv4(v4.s_addr, port: port))
            return
        }
        let parts = literal.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var v6 = in6_addr()
        guard unsafe inet_pton(AF_INET6, String(parts[0]), &v6) == 1 else { return nil }
        var scope: UInt32 = 0
        if parts.count == 2 {
            let name = String(parts[1])
            scope =
                name.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt32(name) ?? 0 : unsafe if_nametoindex(name)
            guard scope != 0 else { return nil }
        }
        self.init(v6, port: port, scope: scope)
    }

    /// The path of a unix-domain socket; a leading NUL means Linux's abstract name space.
    ///
    /// - Returns: nil when the path is empty or longer than the 107 bytes that the system takes.
    public init?(unixPath path: String) {
        guard !path.isEmpty, path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path),
            path.utf8.first == 0 || !path.utf8.contains(0)
        else { return nil }
        storage = .unix(path)
    }

    private init(_ address: in6_addr, port: UInt16, scope: UInt32) {
        let halves = unsafe withUnsafeBytes(of: address) {
            unsafe ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        storage = .ipv6(halves.0, halves.1, port: port, scope: scope)
    }

    /// Reads an address that a system call filled in; nil for families other than these.
    package init?(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
        let raw = unsafe UnsafeRawPointer(address)
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let v4 = unsafe raw.loadUnaligned(as: sockaddr_in.self)
            self.init(storage: .ipv4(v4.sin_addr.s_addr, port: UInt16(bigEndian: v4.sin_port)))
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            let v6 = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
            self.init(v6.sin6_addr, port: UInt16(bigEndian: v6.sin6_port), scope: v6.sin6_scope_id)
        case AF_UNIX:
            let header = MemoryLayout<sa_family_t>.size
            let path = unsafe UnsafeRawBufferPointer(start: raw + header, count: max(0, Int(length) - header))
            let abstract = unsafe path.first == 0
            let end = unsafe abstract ? path.count : path.firstIndex(of: 0) ?? path.count
            unsafe self.init(storage: .unix(String(decoding: path[..<end], as: UTF8.self)))
        default:
            return nil
        }
    }

    /// Which kind of address this is.
    public var family: Family {
        switch storage {
        case .ipv4: .ipv4
        case .ipv6: .ipv6
        case .unix: .unix
        }
    }

    /// The port; nil for a unix-domain socket.
    public var port: Int? {
        switch storage {
        case .ipv4(_, let port), .ipv6(_, _, let port, _): Int(port)
        case .unix: nil
        }
    }

    /// Whether the address is 127.0.0.0/8, ::1 or a unix-domain socket: it cannot leave this machine.
    public var isLoopback: Bool {
        switch storage {
        case .ipv4(let address, _): UInt32(bigEndian: address) >> 24 == 127
        case .ipv6(let high, let low, _, _): high == 0 && UInt64(bigEndian: low) == 1
        case .unix: true
        }
    }

    /// The same address with another port; unix-domain addresses have none and stay as they are.
    public func with(port: Int) -> SocketAddress {
        let number = UInt16(truncatingIfNeeded: port)
        switch storage {
        case .ipv4(let address, _): return SocketAddress(storage: .ipv4(address, port: number))
        case .ipv6(let high, let low, _, let scope):
            return SocketAddress(storage: .ipv6(high, low, port: number, scope: scope))
        case .unix: return self
        }
    }

    private init(storage: Storage) {
        self.storage = storage
    }

    package var domain: Int32 {
        switch storage {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    /// Calls `body` with the address in the form that system calls take; the pointer is valid only inside.
    package func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        func call<Address>(_ address: Address, length: Int = MemoryLayout<Address>.size) -> Result {
            unsafe withUnsafePointer(to: address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, socklen_t(length)) }
            }
        }
        switch storage {
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
            // An abstract name is exactly as long as it is; a path ends at its NUL.
            let isAbstract = path.utf8.first == 0
            return call(address, length: MemoryLayout<sa_family_t>.size + path.utf8.count + (isAbstract ? 0 : 1))
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// `127.0.0.1:80`, `[::1]:80` or `unix:/path`.
    public var description: String {
        switch storage {
        case .ipv4(let bits, let port):
            let number = UInt32(bigEndian: bits)
            return "\(number >> 24).\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255):\(port)"
        case .ipv6(_, _, let port, let scope):
            let zone = scope == 0 ? "" : "%\(scope)"
            return "[\(ipv6Text)\(zone)]:\(port)"
        case .unix(let path):
            return path.utf8.first == 0 ? "unix:@\(path.dropFirst())" : "unix:\(path)"
        }
    }

    private var ipv6Text: String {
        guard case .ipv6(let high, let low, _, _) = storage else { return "" }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            var halves = (high, low)
            unsafe inet_ntop(AF_INET6, &halves, text.baseAddress, socklen_t(INET6_ADDRSTRLEN))
            return unsafe String(cString: text.baseAddress!)
        }
    }
}
