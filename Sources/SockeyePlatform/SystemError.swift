import CSockeyeSystem

/// A system error, by its number. The numbers differ by operating system. Code outside this target therefore compares
/// errors only with the constants below, not with numbers.
///
/// If a function of this target reports only that it failed, the error is in ``last``, which must be read before any
/// other call.
@usableFromInline package struct SystemError: Error, Sendable, Hashable {
    @usableFromInline package let code: Int32

    @inlinable package init(_ code: Int32) {
        self.code = code
    }

    /// Converts a result that is either a count or an error's number with a minus sign; nil for a count.
    package init?(ofResult count: Int) {
        guard count < 0 else { return nil }
        code = Int32(clamping: -count)
    }

    /// Converts a result that is the number of an error, or 0 for success; nil for 0.
    init?(ofOutcome code: Int32) {
        guard code != 0 else { return nil }
        self.code = code
    }

    /// The error of the last failed call on this thread.
    @inlinable package static var last: SystemError {
        @inline(__always) get { SystemError(sockeye_last_error()) }
    }

    @inlinable package static func == (left: SystemError, right: SystemError) -> Bool { left.code == right.code }

    /// The system's text for the error.
    package var text: String { unsafe String(cString: sockeye_error_text(code)) }
}

extension SystemError {
    @inlinable package static var wouldBlock: SystemError { SystemError(sockeye_error_would_block) }
    /// A signal interrupted the call before it did anything: call again.
    @inlinable package static var interrupted: SystemError { SystemError(sockeye_error_interrupted) }
    /// The connection is being established.
    @inlinable package static var inProgress: SystemError { SystemError(sockeye_error_in_progress) }
    @inlinable package static var connectionReset: SystemError { SystemError(sockeye_error_connection_reset) }
    @inlinable package static var connectionAborted: SystemError { SystemError(sockeye_error_connection_aborted) }
    @inlinable package static var connectionRefused: SystemError { SystemError(sockeye_error_connection_refused) }
    @inlinable package static var hostUnreachable: SystemError { SystemError(sockeye_error_host_unreachable) }
    @inlinable package static var networkUnreachable: SystemError { SystemError(sockeye_error_network_unreachable) }
    @inlinable package static var notConnected: SystemError { SystemError(sockeye_error_not_connected) }
    @inlinable package static var timedOut: SystemError { SystemError(sockeye_error_timed_out) }
    /// The peer has closed the connection; reported by writes.
    @inlinable package static var brokenPipe: SystemError { SystemError(sockeye_error_broken_pipe) }
    @inlinable package static var accessDenied: SystemError { SystemError(sockeye_error_access_denied) }
    @inlinable package static var notPermitted: SystemError { SystemError(sockeye_error_not_permitted) }
    @inlinable package static var invalidArgument: SystemError { SystemError(sockeye_error_invalid_argument) }
    @inlinable package static var busy: SystemError { SystemError(sockeye_error_busy) }
    @inlinable package static var familyNotSupported: SystemError { SystemError(sockeye_error_family_not_supported) }
    /// The socket or the kernel does not support the requested operation or option.
    @inlinable package static var notSupported: SystemError { SystemError(sockeye_error_not_supported) }
    /// The protocol of the socket has no such option.
    @inlinable package static var noSuchOption: SystemError { SystemError(sockeye_error_no_such_option) }
    @inlinable package static var addressInUse: SystemError { SystemError(sockeye_error_address_in_use) }
    @inlinable package static var addressNotAvailable: SystemError { SystemError(sockeye_error_address_not_available) }
    @inlinable package static var noMemory: SystemError { SystemError(sockeye_error_no_memory) }
    /// The system has no buffers for sockets left.
    @inlinable package static var noBuffers: SystemError { SystemError(sockeye_error_no_buffers) }
    /// The process has as many descriptors as its limit allows.
    @inlinable package static var tooManyDescriptors: SystemError { SystemError(sockeye_error_too_many_descriptors) }
    /// The system has as many open files as its limit allows.
    @inlinable package static var tooManyFiles: SystemError { SystemError(sockeye_error_too_many_files) }
    @inlinable package static var badDescriptor: SystemError { SystemError(sockeye_error_bad_descriptor) }
    /// No space on the device, or a kernel table is full.
    @inlinable package static var noSpace: SystemError { SystemError(sockeye_error_no_space) }
}

/// Errors of files and of file systems.
extension SystemError {
    @inlinable package static var notFound: SystemError { SystemError(sockeye_error_not_found) }
    @inlinable package static var exists: SystemError { SystemError(sockeye_error_exists) }
    /// The path names a folder, but the call needs a file.
    @inlinable package static var isFolder: SystemError { SystemError(sockeye_error_is_folder) }
    @inlinable package static var notAFolder: SystemError { SystemError(sockeye_error_not_a_folder) }
    @inlinable package static var nameTooLong: SystemError { SystemError(sockeye_error_name_too_long) }
    /// Too many symbolic links, or a symbolic link where the call allows none.
    @inlinable package static var symbolicLink: SystemError { SystemError(sockeye_error_symbolic_link) }
    @inlinable package static var quotaExceeded: SystemError { SystemError(sockeye_error_quota_exceeded) }
    @inlinable package static var fileTooLarge: SystemError { SystemError(sockeye_error_file_too_large) }
    @inlinable package static var inputOutput: SystemError { SystemError(sockeye_error_input_output) }
    /// The file no longer exists on its network file server (NFS).
    @inlinable package static var stale: SystemError { SystemError(sockeye_error_stale) }
    @inlinable package static var readOnlyFileSystem: SystemError { SystemError(sockeye_error_read_only_file_system) }
}

extension SystemError {
    /// True if the process or the system lacks descriptors or memory for sockets.
    package var isOutOfResources: Bool {
        [.tooManyDescriptors, .tooManyFiles, .noBuffers, .noMemory].contains(self)
    }

    /// True if the error means that this kind of socket, or the system, does not support an option.
    package var isRefusalOfOption: Bool { self == .notSupported || self == .noSuchOption }

    /// True for errors that can end an attempt to connect, but not an established connection. If the peer resets or
    /// closes an established connection, the error is `connectionReset` or `brokenPipe`. A lost route does not end the
    /// connection until it times out (tcp(7), RFC 1122 4.2.3.9).
    package var isConnectError: Bool {
        [.connectionRefused, .hostUnreachable, .networkUnreachable].contains(self)
    }

    /// The error that opening a descriptor would fail with at the moment; nil if a descriptor is available.
    ///
    /// The C library's resolver and OpenSSL open files themselves. Without a free descriptor, the resolver reports that
    /// a name does not exist, and OpenSSL reports a certificate without issuer. Callers check this property to find the
    /// actual error.
    package static var descriptorShortage: SystemError? {
        guard let error = DescriptorReserve.probe() else { return nil }
        return error.isOutOfResources ? error : nil
    }
}
