import Glibc

/// An error number of the system (errno(3)).
///
/// Failed calls of this target report the failure by their result and leave the number in ``last``, which must be read
/// before any other call.
@usableFromInline package struct SystemError: Error, Sendable, Hashable {
    @usableFromInline package let code: Int32

    @inlinable package init(_ code: Int32) {
        self.code = code
    }

    /// Converts a result that is negative for an error and otherwise a count; nil for a count.
    package init?(ofResult count: Int) {
        guard count < 0 else { return nil }
        code = Int32(clamping: -count)
    }

    /// The error of the last failed call on this thread.
    @inlinable package static var last: SystemError {
        @inline(__always) get { SystemError(errno) }
    }

    @inlinable package static func == (left: SystemError, right: SystemError) -> Bool { left.code == right.code }

    /// The system's text for the error.
    package var text: String { unsafe String(cString: strerror(code)) }
}

extension SystemError {
    /// The call would block (EAGAIN, which is EWOULDBLOCK).
    @inlinable package static var wouldBlock: SystemError { SystemError(EAGAIN) }
    /// A signal interrupted the call before it did anything (EINTR): call again.
    @inlinable package static var interrupted: SystemError { SystemError(EINTR) }
    /// The connection is being established (EINPROGRESS).
    @inlinable package static var inProgress: SystemError { SystemError(EINPROGRESS) }
    @inlinable package static var connectionReset: SystemError { SystemError(ECONNRESET) }
    @inlinable package static var connectionAborted: SystemError { SystemError(ECONNABORTED) }
    @inlinable package static var connectionRefused: SystemError { SystemError(ECONNREFUSED) }
    @inlinable package static var notConnected: SystemError { SystemError(ENOTCONN) }
    @inlinable package static var timedOut: SystemError { SystemError(ETIMEDOUT) }
    /// The peer has closed the connection (EPIPE, for writes).
    @inlinable package static var brokenPipe: SystemError { SystemError(EPIPE) }
    @inlinable package static var accessDenied: SystemError { SystemError(EACCES) }
    @inlinable package static var notPermitted: SystemError { SystemError(EPERM) }
    @inlinable package static var invalidArgument: SystemError { SystemError(EINVAL) }
    @inlinable package static var busy: SystemError { SystemError(EBUSY) }
    @inlinable package static var familyNotSupported: SystemError { SystemError(EAFNOSUPPORT) }
    /// The socket or the kernel does not support this (EOPNOTSUPP).
    @inlinable package static var notSupported: SystemError { SystemError(EOPNOTSUPP) }
    @inlinable package static var addressNotAvailable: SystemError { SystemError(EADDRNOTAVAIL) }
    @inlinable package static var noMemory: SystemError { SystemError(ENOMEM) }
    /// No space on the device, or a kernel table is full (ENOSPC).
    @inlinable package static var noSpace: SystemError { SystemError(ENOSPC) }
}

/// Errors of files and of file systems.
extension SystemError {
    @inlinable package static var notFound: SystemError { SystemError(ENOENT) }
    @inlinable package static var exists: SystemError { SystemError(EEXIST) }
    /// A folder instead of a file (EISDIR).
    @inlinable package static var isFolder: SystemError { SystemError(EISDIR) }
    @inlinable package static var nameTooLong: SystemError { SystemError(ENAMETOOLONG) }
    /// Too many symbolic links, or a symbolic link where the call allows none (ELOOP).
    @inlinable package static var symbolicLink: SystemError { SystemError(ELOOP) }
    @inlinable package static var quotaExceeded: SystemError { SystemError(EDQUOT) }
    @inlinable package static var fileTooLarge: SystemError { SystemError(EFBIG) }
    @inlinable package static var inputOutput: SystemError { SystemError(EIO) }
    /// The file was removed from its server (ESTALE).
    @inlinable package static var stale: SystemError { SystemError(ESTALE) }
    @inlinable package static var readOnlyFileSystem: SystemError { SystemError(EROFS) }
}

extension SystemError {
    /// True if the process or the system lacks descriptors or memory for sockets.
    package var isOutOfResources: Bool {
        switch code {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: true
        default: false
        }
    }

    /// True if this kind of socket does not support an option.
    package var isRefusalOfOption: Bool { code == EOPNOTSUPP || code == ENOPROTOOPT }

    /// True for errors that end only connections that are not yet established. An established connection fails with
    /// ECONNRESET or EPIPE, and survives a lost route until it times out (tcp(7), RFC 1122 4.2.3.9).
    package var isConnectError: Bool { [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(code) }

    /// The error that opening a descriptor would fail with at the moment; nil if one is available.
    ///
    /// For libraries that open files themselves and do not report why they failed: they report names that do not exist,
    /// or certificates without issuers.
    package static var descriptorShortage: SystemError? {
        guard let error = ReadinessQueue.probe() else { return nil }
        return error.isOutOfResources ? error : nil
    }
}
