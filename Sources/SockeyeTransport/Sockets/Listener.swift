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
            let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            let number = sockeye_accept(descriptor.number, flags)
            if number >= 0 {
                let accepted = Descriptor(adopting: number)
                try? accepted.set(Int32(IPPROTO_TCP), TCP_NODELAY, to: 1)
                return try SocketStream.adopting(accepted, poller: poller)
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN:
                switch await point.wait(for: .read, as: .reader, until: .distantFuture) {
                case .ready, .timedOut: continue
                case .cancelled: throw .cancelled
                case .closed: throw .closed
                }
            case let code: throw .system(call: .accept, errno: code)
            }
        }
    }

    package func close() {
        point.close()
        descriptor.close()
    }
}
