public import SockeyeNet
import SockeyePlatform

/// The address that a test server listens on.
public struct ListenAddress: Sendable, Hashable {
    let socketAddress: EndpointAddress?
    let name: String

    private init(_ address: EndpointAddress?, name: String) {
        socketAddress = address
        self.name = name
    }

    /// 127.0.0.1 and a port that the kernel chooses. The default of all servers of this module.
    public static let loopback = ListenAddress(EndpointAddress(literal: "127.0.0.1", port: 0), name: "127.0.0.1")

    /// ::1 and a port that the kernel chooses.
    public static let loopbackIPv6 = ListenAddress(EndpointAddress(literal: "::1", port: 0), name: "::1")

    /// 127.0.0.1 and a given port.
    public static func loopback(port: Int) -> ListenAddress {
        ListenAddress(EndpointAddress(literal: "127.0.0.1", port: port), name: "127.0.0.1:\(port)")
    }

    /// A unix-domain socket at `path` (at most 107 bytes on Linux, 103 elsewhere); it is removed when the server stops.
    public static func unix(_ path: String) -> ListenAddress {
        ListenAddress(EndpointAddress(unixPath: path), name: path)
    }

    /// A unix-domain socket at a new path in the temporary directory, removed when the server stops.
    public static var temporaryUnixSocket: ListenAddress {
        let directory = SystemProcess.environment("TMPDIR") ?? "/tmp"
        return unix(
            "\(directory)/sockeye-\(SystemProcess.identifier)-\(String(UInt64.random(in: 0 ... .max), radix: 36)).sock")
    }

    /// Any other address.
    public static func address(_ address: EndpointAddress) -> ListenAddress {
        ListenAddress(address, name: address.description)
    }
}
