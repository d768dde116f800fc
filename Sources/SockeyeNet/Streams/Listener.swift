import CSockeyeSystem
import Glibc
import SockeyeCore

/// A listening socket; what a test server stands on.
package final class Listener: Sendable {
    private let descriptor: Descriptor
    private let point: WaitPoint
    private let poller: any Poller

    /// Listens on `address`; with port 0 the kernel chooses one, which ``address`` then tells.
    package init(
        address: SocketAddress, backlog: Int = 512, poller: any Poller
    ) throws(TransportError) {
        descriptor = try Descriptor(domain: address.domain)
        self.poller = poller
        if address.family != .unix { try descriptor.set(SOL_SOCKET, SO_REUSEADDR, to: 1) }
        try descriptor.bind(to: address)
        guard listen(descriptor.number, Int32(clamping: backlog)) == 0 else {
            throw .system(call: .listen, errno: errno)
        }
        point = try poller.makeWaitPoint(descriptor: descriptor.number)
    }

    deinit {
        close()
    }

    /// The address that is listened on, with the real port.
    package var address: SocketAddress? { descriptor.localAddress }

    /// Waits for the next connection. Throws ``TransportError/cancelled`` and ``TransportError/closed``.
    package func accept() async throws(TransportError) -> SocketStream {
        while true {
            let (number, code) = try take()
            if number >= 0 {
                let accepted = Descriptor(adopting: number)
                try? accepted.set(Int32(IPPROTO_TCP), TCP_NODELAY, to: 1)
                return try SocketStream.adopting(accepted, poller: poller)
            }
            switch code {
            case EINTR, ECONNABORTED: continue
            case EAGAIN:
                switch await point.wait(for: .read, as: .reader, until: .distantFuture) {
                case .ready, .timedOut: continue
                case .cancelled: throw .cancelled
                case .closed: throw .closed
                }
            default: throw .system(call: .accept, errno: code)
            }
        }
    }

    /// One connection, or why there is none. Whoever closes the listener is another task, most often: without the
    /// descriptor's lock this would take connections from the listener that gets its number next.
    private func take() throws(TransportError) -> (number: Int32, code: Int32) {
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let result = descriptor.whileOpen { number in
            let accepted = sockeye_accept(number, flags)
            return (accepted, accepted < 0 ? errno : 0)
        }
        guard let result else { throw .closed }
        return result
    }

    package func close() {
        point.close()
        descriptor.close()
    }
}
