import SockeyeCore
import SockeyePlatform
import Synchronization

/// A listening socket, for test servers.
package final class Listener: Sendable {
    private let socket: Socket
    private let point: WaitPoint
    private let poller: any Poller
    /// True if the descriptor of the last accepted connection is in the reserve that the library leaves to the rest of
    /// the process (``DescriptorReserve``).
    private let isNearDescriptorLimit = Atomic(false)

    /// Listens on `address`. With port 0 the kernel chooses a port; see ``address``.
    package init(
        address: EndpointAddress, backlog: Int = 512, poller: any Poller
    ) throws(TransportError) {
        socket = try Socket(for: address)
        self.poller = poller
        if address.family != .unix { try socket.set(.reusesAddress, to: 1) }
        try socket.bind(to: address)
        if let error = SystemSocket.listen(socket.number, backlog: backlog) { throw .failed(.listen, error) }
        point = try poller.makeWaitPoint(descriptor: socket.number)
    }

    deinit {
        close()
    }

    /// The local address, with the actual port.
    package var address: EndpointAddress? { socket.localAddress }

    /// Waits for the next connection.
    ///
    /// - Throws: ``TransportError/cancelled``, ``TransportError/closed``, or the error of accept(2).
    package func accept() async throws(TransportError) -> SocketStream {
        while true {
            let (number, error) = try take()
            if number >= 0 {
                let accepted = Socket(adopting: number)
                try? accepted.set(.noDelay, to: 1)
                return try SocketStream.adopting(accepted, poller: poller)
            }
            switch error {
            case .interrupted, .connectionAborted: continue
            case .wouldBlock:
                switch await point.wait(for: .read, as: .reader, until: .distantFuture) {
                case .ready, .timedOut: continue
                case .cancelled: throw .cancelled
                case .closed: throw .closed
                }
            default: throw .failed(.accept, error)
            }
        }
    }

    /// Accepts one connection, or returns the error. Holds the socket's lock, so that no other task closes the socket
    /// meanwhile. Without the lock, accept(2) could accept a connection of a later listener with the same descriptor
    /// number.
    private func take() throws(TransportError) -> (number: Int32, error: SystemError) {
        // While too few descriptors are left, further connections stay in the kernel's queue.
        if isNearDescriptorLimit.load(ordering: .relaxed), let shortage = SystemError.descriptorShortage {
            return (-1, shortage)
        }
        let result = socket.whileOpen { number in
            let accepted = SystemSocket.accept(number)
            let error = SystemError.last
            isNearDescriptorLimit.store(SystemSocket.isInReserve(accepted), ordering: .relaxed)
            return (accepted, error)
        }
        guard let result else { throw .closed }
        return result
    }

    package func close() {
        point.close()
        socket.close()
    }
}
