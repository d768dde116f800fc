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
    case system(call: SystemCall, error: SystemError)
    /// The peer closed a TLS connection without close_notify: the received data may be truncated (RFC 9112 9.8).
    case truncated
    /// TLS refused the peer, the peer refused this side, or TLS lacks resources or a valid configuration. Indirect, to
    /// keep the result type of reads and writes small.
    indirect case tls(TLSError)
}

extension TransportError {
    /// True if the connection broke or was closed by the peer, as opposed to a refusal, a deadline or a local close.
    package var isConnectionLoss: Bool {
        switch self {
        case .system(_, let error): Self.losses.contains(error)
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
        // The user already watches as many descriptors as the system allows (ENOSPC, epoll_ctl(2)).
        case .system(call: .queueWatch, error: .noSpace): true
        case .system(_, let error): error.isOutOfResources
        case .tls(let failure): failure.reason == .outOfResources
        case .timedOut, .cancelled, .closed, .truncated: false
        }
    }

    /// Returns the error of a failed system call; by default with the last error of this thread.
    package static func failed(_ call: SystemCall, _ error: SystemError = .last) -> TransportError {
        .system(call: call, error: error)
    }
}
