import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform
import Synchronization

extension Dialer {
    /// The socket options for a connection to `target`. TCP Fast Open stays on only if the first bytes are a TLS
    /// ClientHello. A network may deliver a SYN and its data twice (RFC 7413 2.1). A second ClientHello does no harm,
    /// because it only starts another handshake. A plain HTTP request might be executed twice.
    func options(for target: DialTarget) -> SocketOptions {
        guard socket.fastOpen else { return socket }
        let beginsWithTLS = target.proxy.map { $0.tls != nil } ?? (target.url.scheme == .https)
        var options = socket
        options.fastOpen = beginsWithTLS && socket.proxyProtocol == nil
        return options
    }
}

/// A connection that is made by the first bytes of a TLS handshake (TCP Fast Open). The connect deadline applies until
/// the connection is made. If it cannot be made, the error is a connect error and not a TLS error.
final class FastOpenConnect: Sendable {
    let deadline: MonotonicTime
    private let peer: EndpointAddress
    private let hasExpired = Atomic(false)
    private let watch = Mutex<Task<Void, Never>?>(nil)

    /// Starts a timer for the connect deadline. Nil for a socket that is already connected.
    init?(of socket: SocketStream, _ target: DialTarget, _ poller: any Poller) {
        guard let peer = socket.deferredPeer else { return nil }
        self.peer = peer
        let deadline = poller.time.now.deadline(after: target.limits.connect)
        self.deadline = deadline
        watch.withLock { watch in
            watch = Task { [self] in
                guard (try? await poller.sleep(until: deadline)) != nil, socket.peerAddress == nil else { return }
                hasExpired.store(true, ordering: .releasing)
                socket.abort()
            }
        }
    }

    /// Stops the timer. To be called at the end of the handshake.
    func end() {
        watch.withLock { $0?.cancel() }
    }

    /// Returns a connect error if `error` means that the connection was not made; otherwise nil.
    func failure(_ error: TransportError) -> ConnectError? {
        if hasExpired.load(ordering: .acquiring) {
            return ConnectError(
                reason: .timedOut, attempts: [.init(address: peer, failure: .transport(.timedOut))])
        }
        guard case .system(_, let reason) = error, reason.isConnectError else { return nil }
        return ConnectError(
            reason: .allFailed,
            attempts: [.init(address: peer, failure: .transport(.system(call: .connect, error: reason)))])
    }
}
