import SockeyeNet
import SockeyePlatform
import Synchronization

/// Ports without a listener, chosen at random below the ephemeral range. So connections of other tests cannot take such
/// a port before the server does.
enum FreePorts {
    /// Ports given to servers of this process. They are not given again, because a server may stop and restart on its
    /// port.
    private static let taken = Mutex<Set<Int>>([])

    static func take(_ count: Int) throws -> [Int] {
        var ports: [Int] = []
        for _ in 0..<1000 where ports.count < count {
            let port = Int.random(in: 12_000..<32_000)
            guard taken.withLock({ $0.insert(port).inserted }) else { continue }
            if isFree(port) { ports.append(port) }
        }
        guard ports.count == count else { throw ServerFailure("no free ports") }
        return ports
    }

    /// Returns true if the port has no listener on either loopback address.
    static func isFree(_ port: Int) -> Bool {
        canListen("127.0.0.1", port) && (!hasIPv6 || canListen("::1", port))
    }

    /// True if ::1 exists on this machine.
    static let hasIPv6 = canListen("::1", 0)

    private static func canListen(_ host: String, _ port: Int) -> Bool {
        guard let address = EndpointAddress(literal: host, port: port) else { return false }
        let descriptor = SystemSocket.open(for: address.system)
        guard descriptor >= 0 else { return false }
        defer { SystemSocket.close(descriptor) }
        // Connections in TIME_WAIT do not count.
        _ = SystemSocket.set(descriptor, .reusesAddress, to: 1)
        return SystemSocket.bind(descriptor, to: address.system) == nil
    }
}
