import Glibc

/// An error number of the system (errno(3)).
///
/// Calls of this target that fail say so by their result and leave the number in ``last``, which must be read before
/// anything else is called.
@usableFromInline package struct SystemError: Error, Sendable, Hashable {
    @usableFromInline package let code: Int32

    @inlinable package init(_ code: Int32) {
        self.code = code
    }

    /// The error of a call that returns it as a negative number in place of a count; nil where there is a count.
    package init?(ofResult count: Int) {
        guard count < 0 else { return nil }
        code = Int32(clamping: -count)
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
    @inlinable package static var notPermitted: SystemError { SystemError(EPERM) }
    @inlinable package static var invalidArgument: SystemError { SystemError(EINVAL) }
    @inlinable package static var busy: SystemError { SystemError(EBUSY) }
    @inlinable package static var familyNotSupported: SystemError { SystemError(EAFNOSUPPORT) }
    /// The socket, or the kernel, has no such thing (EOPNOTSUPP).
    @inlinable package static var notSupported: SystemError { SystemError(EOPNOTSUPP) }
    @inlinable package static var addressNotAvailable: SystemError { SystemError(EADDRNOTAVAIL) }
    @inlinable package static var noMemory: SystemError { SystemError(ENOMEM) }
    /// No room on the device, or no more entries in a table of the kernel (ENOSPC).
    @inlinable package static var noSpace: SystemError { SystemError(ENOSPC) }
}

/// Errors of files and of file systems.
extension SystemError {
    @inlinable package static var notFound: SystemError { SystemError(ENOENT) }
    @inlinable package static var exists: SystemError { SystemError(EEXIST) }
    /// A folder where a file has to be (EISDIR).
    @inlinable package static var isFolder: SystemError { SystemError(EISDIR) }
    @inlinable package static var nameTooLong: SystemError { SystemError(ENAMETOOLONG) }
    /// Too many symbolic links, or one where none may be (ELOOP).
    @inlinable package static var symbolicLink: SystemError { SystemError(ELOOP) }
    @inlinable package static var quotaExceeded: SystemError { SystemError(EDQUOT) }
    @inlinable package static var fileTooLarge: SystemError { SystemError(EFBIG) }
    @inlinable package static var inputOutput: SystemError { SystemError(EIO) }
    /// The file is gone from the server that it was on (ESTALE).
    @inlinable package static var stale: SystemError { SystemError(ESTALE) }
    @inlinable package static var readOnlyFileSystem: SystemError { SystemError(EROFS) }
}

extension SystemError {
    /// Whether the process or the system has run out of descriptors or of memory for sockets, whichever call it comes from.
    package var isOutOfResources: Bool {
        switch code {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: true
        default: false
        }
    }

    /// Whether a kind of socket refuses an option that others know.
    package var isRefusalOfOption: Bool { code == EOPNOTSUPP || code == ENOPROTOOPT }

    /// Whether only a connection that was not established yet ends with it: once it is, a reset is ECONNRESET or EPIPE, and that
    /// a way is gone only counts when the time is up (tcp(7), RFC 1122 4.2.3.9).
    package var isOfConnecting: Bool { [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(code) }

    /// Why not one more descriptor can be had at this moment; nil where it can.
    ///
    /// For libraries that open files on their own and do not say why they could not: names that are not found, certificates
    /// without issuers.
    package static var descriptorShortage: SystemError? {
        guard let error = ReadinessQueue.probe() else { return nil }
        return error.isOutOfResources ? error : nil
    }
}
