package import SockeyeCore
package import SockeyePlatform
import Synchronization

/// A monitor of the kernel's routing table: reports changes, and the interface through which packets to an address
/// leave.
///
/// It does not poll: the kernel reports changes of links, addresses, routes and rules. It belongs to the network
/// namespace of the thread that creates it. Only one task may wait for changes at a time.
package final class RouteMonitor: Sendable {
    private let changeSocket: Socket
    private let point: WaitPoint
    private let askingSocket: Socket
    private let source: Mutex<RouteSource>

    /// - Throws: ``TransportError`` if the system cannot report routes or does not allow this process to read them.
    package init(poller: any Poller) throws(TransportError) {
        changeSocket = try Self.open(listening: true)
        askingSocket = try Self.open(listening: false)
        source = Mutex(RouteSource(asking: askingSocket.number))
        point = try poller.makeWaitPoint(descriptor: changeSocket.number)
    }

    private static func open(listening: Bool) throws(TransportError) -> Socket {
        let number = RouteSocket.open(listening: listening)
        guard number >= 0 else { throw .failed(.socket) }
        return Socket(adopting: number)
    }

    deinit {
        close()
    }

    /// Ends a pending wait. The wait point is closed before the descriptor, so that no event can reach the next user
    /// of the descriptor's number.
    package func close() {
        point.close()
        changeSocket.close()
    }

    /// Waits until anything has changed since the last call, or since the monitor was created. Changes that arrive
    /// together count as one.
    ///
    /// - Throws: ``TransportError/timedOut`` at the deadline, ``TransportError/cancelled``, ``TransportError/closed``
    ///   after ``close()``, or the error of a system call.
    package func nextChange(until deadline: MonotonicTime = .distantFuture) async throws(TransportError) {
        while true {
            // Readiness is edge-triggered, so all pending messages are read before a wait.
            switch changeSocket.whileOpen({ RouteSocket.readChanges($0) }) {
            case .change: return
            case .failed(let error): throw .failed(.recv, error)
            case nil: throw .closed
            case .nothing: break
            }
            try await point.wait(for: .read, as: .reader, until: deadline).check()
        }
    }

    /// Returns the kind of interface through which packets to `address` leave; nil if there is no route or the link is
    /// down.
    package func interface(to address: EndpointAddress) -> InterfaceClass? {
        if address.family == .unix { return .loopback }
        return source.withLock { $0.interface(to: address.system) }
    }
}
