package import SockeyePlatform

/// An error below HTTP. The client turns it into a `SockeyeError` with the phase and the URL.
package enum TransportError: Error, Sendable, Hashable {
    /// The deadline given to the wait has passed.
    case timedOut
    /// The waiting task was cancelled.
    case cancelled
    /// The stream was closed by this side.
    case closed
    /// A system call failed.
    case system(call: SystemCall, errno: Int32)
    /// The peer closed a TLS connection without close_notify: the data before may be truncated (RFC 9112 9.8).
    case truncated
    /// TLS refused the peer, or the peer refused this side. Indirect, to keep the result type of reads and writes
    /// small.
    indirect case tls(TLSError)
}

extension TransportError {
    /// True if the connection broke or was closed by the peer, as opposed to a refusal, a deadline or a local close.
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

    /// True if only a lack of descriptors or memory caused the failure.
    package var isOutOfResources: Bool {
        switch self {
        // The number of descriptors that one user may watch is limited too (epoll_ctl(2)).
        case .system(call: .epollControl, let code) where SystemError(code) == .noSpace: true
        case .system(_, let code): SystemError(code).isOutOfResources
        case .tls(let failure): failure.reason == .outOfResources
        case .timedOut, .cancelled, .closed, .truncated: false
        }
    }

    /// Returns the error of a failed system call; by default with the current `errno`.
    package static func failed(_ call: SystemCall, _ error: SystemError = .last) -> TransportError {
        .system(call: call, errno: error.code)
    }
}

/// The system calls that errors name.
package enum SystemCall: String, Sendable, Hashable {
    case socket, connect, bind, listen, accept, recv, send, sendmsg, sendfile, shutdown, setsockopt, getsockname
    case bindToInterface = "SO_BINDTODEVICE"
    case open, fstat, pread, epollCreate = "epoll_create1", epollControl = "epoll_ctl", eventfd, pthreadCreate =
        "pthread_create"
}
