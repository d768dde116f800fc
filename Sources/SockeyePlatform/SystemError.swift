import Glibc

/// An error number of the system (errno(3)).
///
/// Calls of this target that fail say so by their result and leave the number in ``last``, which must be read before
/// anything else is called.
package struct SystemError: Error, Sendable, Hashable {
    package let code: Int32

    @inlinable package init(_ code: Int32) {
        self.code = code
    }

    /// What the last call that failed on this thread left behind.
    @inlinable package static var last: SystemError {
        @inline(__always) get { SystemError(errno) }
    }

    @inlinable package static func == (left: SystemError, right: SystemError) -> Bool { left.code == right.code }

    /// The system's text for the error.
    package var text: String { unsafe String(cString: strerror(code)) }
}

extension SystemError {
    /// Nothing can be done without waiting (EAGAIN, which is EWOULDBLOCK).
    @inlinable package static var wouldBlock: SystemError { SystemError(EAGAIN) }
    /// A signal came before anything was done (EINTR): to be called again.
    @inlinable package static var interrupted: SystemError { SystemError(EINTR) }
    /// The connection is being made (EINPROGRESS).
    @inlinable package static var inProgress: SystemError { SystemError(EINPROGRESS) }
    @inlinable package static var connectionReset: SystemError { SystemError(ECONNRESET) }
    @inlinable package static var connectionAborted: SystemError { SystemError(ECONNABORTED) }
    @inlinable package static var connectionRefused: SystemError { SystemError(ECONNREFUSED) }
    @inlinable package static var notConnected: SystemError { SystemError(ENOTCONN) }
    @inlinable package static var timedOut: SystemError { SystemError(ETIMEDOUT) }
    /// The peer has closed the connection that is written to (EPIPE).
    @inlinable package static var brokenPipe: SystemError { SystemError(EPIPE) }
    @inlinable package static var accessDenied: SystemError { SystemError(EACCES) }
    @inlinable package static var familyNotSupported: SystemError { SystemError(EAFNOSUPPORT) }
    @inlinable package static var addressNotAvailable: SystemError { SystemError(EADDRNOTAVAIL) }
    @inlinable package static var noMemory: SystemError { SystemError(ENOMEM) }
    /// No room on the device, or no more entries in a table of the kernel (ENOSPC).
    @inlinable package static var noSpace: SystemError { SystemError(ENOSPC) }
    /// Too many symbolic links, or one where none may be (ELOOP).
    @inlinable package static var symbolicLink: SystemError { SystemError(ELOOP) }
}

extension SystemError {
    /// Whether the process or the system has run out of descriptors or of memory for sockets, whichever call it comes from.
    package var isOutOfResources: Bool {
        switch code {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: true
        default: false
        }
    }

    /// Why not one more descriptor can be had at this moment; nil where it can.
    ///
    /// For libraries that open files on their own and do not say why they could not: names that are not found, certificates
    /// without issuers.
    package static var descriptorShortage: SystemError? {
        guard let error = ReadinessQueue.probe() else { return nil }
        return error.isOutOfResources ? error : nil
    }
}
