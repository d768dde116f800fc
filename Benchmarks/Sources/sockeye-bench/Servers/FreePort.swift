import Glibc

/// Ports of the loopback interface for servers that cannot choose one themselves.
enum FreePort {
    /// Returns a port that is free at this moment.
    static func find() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failed = withSocketAddress(&address) {
            bind(descriptor, $0, length) != 0 || getsockname(descriptor, $0, &length) != 0
        }
        guard !failed else { throw BenchFailure.system("bind") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Waits until a server accepts connections; throws if it does not within five seconds.
    static func waitForListener(on port: Int, of process: ChildProcess) throws {
        for _ in 0..<500 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = loopback(port: port)
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            if withSocketAddress(&address, { connect(descriptor, $0, length) }) == 0 { return }
            usleep(10_000)
        }
        throw BenchFailure("\(process.name) does not listen on port \(port)")
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }

    private static func withSocketAddress<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
