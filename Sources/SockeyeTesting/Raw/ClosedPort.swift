import CSockeyeSystem
import Glibc
public import SockeyeNet

/// A port of 127.0.0.1 that refuses every connection, and that nobody else can open while this value lives.
public final class ClosedPort: Sendable {
    /// Bound but not listening: the system answers with a reset.
    private let descriptor: Int32
    /// The address that refuses.
    public let address: EndpointAddress
    /// The port that refuses.
    public var port: Int { address.port ?? 0 }

    /// Takes a port of the system's choice.
    ///
    /// - Throws: ``TestServerError`` with the code `cannotStart`.
    public init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0, let address = Self.bindToLoopback(descriptor) else {
            let code = errno
            if descriptor >= 0 { Glibc.close(descriptor) }
            throw TestServerError(.cannotStart, unsafe "cannot take a port: \(String(cString: strerror(code)))")
        }
        self.address = address
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// The URL of a path at this port.
    public func url(_ path: String = "/") -> String { "http://\(address)\(path)" }

    private static func bindToLoopback(_ descriptor: Int32) -> EndpointAddress? {
        guard let loopback = EndpointAddress(literal: "127.0.0.1", port: 0),
            unsafe loopback.withSockaddr({ unsafe Glibc.bind(descriptor, $0, $1) }) == 0
        else { return nil }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe getsockname(descriptor, pointer, &length) == 0 ? EndpointAddress(pointer, length: length) : nil
            }
        }
    }
}
