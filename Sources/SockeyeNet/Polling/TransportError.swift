package import SockeyePlatform

/// An error below HTTP. Exact and small; the client turns it into a `SockeyeError` with the phase and the URL.
package enum TransportError: Error, Sendable, Hashable {
    /// The deadline given to the wait has passed.
    case timedOut
    /// The waiting task was cancelled.
    case cancelled
    /// This side closed the stream.
    case closed
    /// A system call failed.
    case system(call: SystemCall, errno: Int32)
    /// The peer closed a TLS connection without close_notify: what came before may be cut short (RFC 9112 9.8).
    case truncated
    /// TLS refused the peer, or the peer refused us. Indirect, since every result of a read or write has room for an error.
    indirect case tls(TLSError)
}

extension TransportError {
    /// Whether the connection broke or ended, as opposed to a refusal, a deadline or a decision of ours.
    package var isConnectionLoss: Bool {
        switch self {
        case .system(_, let code): Self.losses.contains(SystemError(code))
        case .truncated: true
        case .timedOut, .cancelled, .closed, .tls: false
        }
    }

    private static let losses: [SystemError] = [
        .connectionReset, .brokenPipe, .connectionAborted, .notConnected, .timedOut,
    ]

    /// Whether nothing but a lack of descriptors or memory stood in the way.
    package var isOutOfResources: Bool {
        switch self {
        // The number of descriptors that one user may watch is limited as well (epoll_ctl(2)).
        case .system(call: .epollControl, let code) where SystemError(code) == .noSpace: true
        case .system(_, let code): SystemError(code).isOutOfResources
        case .tls(let failure): failure.reason == .outOfResources
        case .timedOut, .cancelled, .closed, .truncated: false
        }
    }

    /// A system call failed, for the reason that the system has just given.
    package static func failed(_ call: SystemCall, _ error: SystemError = .last) -> TransportError {
        .system(call: call, errno: error.code)
    }
}

/// The system calls whose failure is reported.
package enum SystemCall: String, Sendable, Hashable {
    case socket, connect, bind, listen, accept, recv, send, sendmsg, sendfile, shutdown, setsockopt, getsockname
    case bindToInterface = "SO_BINDTODEVICE"
    case open, fstat, pread, epollCreate = "epoll_create1", epollControl = "epoll_ctl", eventfd, pthreadCreate =
        "pthread_create"
}
