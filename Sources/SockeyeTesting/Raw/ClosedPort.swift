public import SockeyeNet
import SockeyePlatform

/// A port of 127.0.0.1 that refuses every connection. No other process can bind the port while this object exists.
public final class ClosedPort: Sendable {
    /// The socket is bound but not listening, so the kernel answers connections with a reset.
    private let descriptor: Int32
    /// The address that refuses connections.
    public let address: EndpointAddress
    /// The port that refuses connections.
    public var port: Int { address.port ?? 0 }

    /// Takes a port that the kernel chooses.
    ///
    /// - Throws: ``TestServerError`` with the code `cannotStart`.
    public init() throws {
        let loopback = SystemAddress.ipv4(UInt32(0x7F00_0001).bigEndian, port: 0)
        let descriptor = SystemSocket.open(for: loopback)
        guard descriptor >= 0, SystemSocket.bind(descriptor, to: loopback) == nil,
            let address = SystemSocket.localAddress(descriptor)
        else {
            let error = SystemError.last
            if descriptor >= 0 { SystemSocket.close(descriptor) }
            throw TestServerError(.cannotStart, "cannot take a port: \(error.text)")
        }
        self.descriptor = descriptor
        self.address = EndpointAddress(address)
    }

    deinit {
        SystemSocket.close(descriptor)
    }

    /// The URL of a path at this port.
    public func url(_ path: String = "/") -> String { "http://\(address)\(path)" }
}
