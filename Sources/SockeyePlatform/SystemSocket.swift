import CSockeyeSystem

/// A memory range for vectored output (an `iovec` of sendmsg(2)).
@usableFromInline package typealias IOVector = sockeye_vector

extension sockeye_vector {
    /// Describes memory to write.
    @inlinable package init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.init(base: bytes.baseAddress, length: bytes.count)
    }

    @inlinable package var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: base, count: length)
    }
}

/// An integer socket option (setsockopt(2)).
package struct SystemSocketOption: Sendable {
    let option: sockeye_option

    package static var reusesAddress: Self { Self(option: sockeye_option_reuse_address) }
    package static var sendBufferSize: Self { Self(option: sockeye_option_send_buffer_size) }
    package static var receiveBufferSize: Self { Self(option: sockeye_option_receive_buffer_size) }
    /// The least number of received bytes with which the socket counts as readable (SO_RCVLOWAT).
    package static var readLowWaterMark: Self { Self(option: sockeye_option_read_low_water_mark) }
    package static var keepsAlive: Self { Self(option: sockeye_option_keep_alive) }
    /// Sends small segments at once (TCP_NODELAY).
    package static var noDelay: Self { Self(option: sockeye_option_no_delay) }
    /// The time in ms that sent data may stay unacknowledged.
    package static var userTimeout: Self { Self(option: sockeye_option_user_timeout) }
    /// The silence before the first keep-alive probe, in seconds.
    package static var keepAliveIdle: Self { Self(option: sockeye_option_keep_alive_idle) }
    /// The time between keep-alive probes, in seconds.
    package static var keepAliveInterval: Self { Self(option: sockeye_option_keep_alive_interval) }
    /// The number of unanswered keep-alive probes until the connection is dropped.
    package static var keepAliveCount: Self { Self(option: sockeye_option_keep_alive_count) }
    /// Sends the SYN with the first written bytes if the peer has given a cookie before (RFC 7413).
    package static var fastOpenConnect: Self { Self(option: sockeye_option_fast_open_connect) }
}

/// The system calls on a stream socket, by its descriptor.
///
/// Transfers return the number of bytes, or a negative number with the error in ``SystemError/last``. For speed, they
/// don't return `Result` values. Only ``send(_:file:at:count:)`` returns the error together with the number.
@usableFromInline package enum SystemSocket {
    // MARK: Transfers

    /// recv(2). 0 is the end of the stream.
    @inlinable @inline(__always)
    package static func receive(_ socket: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        unsafe sockeye_receive(socket, buffer.baseAddress, buffer.count)
    }

    /// Returns true if a read would block now, because neither a byte nor an error nor the end of the stream has
    /// arrived. Consumes nothing (MSG_PEEK).
    @inlinable @inline(__always)
    package static func hasNothingToRead(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return unsafe sockeye_peek(socket, &byte, 1) < 0 && SystemError.last == .wouldBlock
    }

    /// Returns true if the peer's system has not acknowledged bytes that were retransmitted (TCP_INFO, tcp(7)). False
    /// for sockets other than TCP, and if unknown.
    package static func isUnacknowledged(_ socket: Int32) -> Bool { sockeye_has_unacknowledged_data(socket) }

    /// send(2), without SIGPIPE.
    @inlinable @inline(__always)
    package static func send(_ socket: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
        unsafe sockeye_send(socket, buffer.baseAddress, buffer.count)
    }

    /// sendmsg(2), without SIGPIPE.
    @inlinable @inline(__always)
    package static func send(_ socket: Int32, vectors: UnsafeBufferPointer<IOVector>) -> Int {
        unsafe sockeye_send_vectors(socket, vectors.baseAddress, vectors.count)
    }

    /// Copies from a file to a socket inside the kernel (sendfile(2)). If `sent` is negative, `error` is the reason.
    package static func send(
        _ socket: Int32, file: Int32, at offset: Int, count: Int
    ) -> (sent: Int, error: SystemError) {
        let sent = sockeye_send_file(socket, file, offset, count)
        return (sent, SystemError(ofResult: sent) ?? SystemError(0))
    }

    /// Returns true if an error of sendfile may come from the file or from missing support for sendfile, and not from
    /// the socket. The caller then reads the file, which succeeds or shows the actual error.
    package static func isFault(ofFile error: SystemError) -> Bool { sockeye_is_fault_of_file(error.code) }

    // MARK: Opening and closing

    /// Opens a stream socket, non-blocking and close-on-exec (socket(2)); negative on failure. Fails with
    /// `tooManyDescriptors` if the only free descriptors are those that the library leaves to the rest of the process
    /// (``DescriptorReserve``).
    package static func open(for address: SystemAddress) -> Int32 {
        DescriptorReserve.admit(sockeye_socket_open(address.family), for: .socket)
    }

    /// Opens an MPTCP socket (RFC 8684), which is used like a TCP socket. Fails with `notSupported` if the system has
    /// no MPTCP.
    package static func openMultipath(for address: SystemAddress) -> Result<Int32, SystemError> {
        let descriptor = DescriptorReserve.admit(sockeye_socket_open_multipath(address.family), for: .socket)
        return descriptor < 0 ? .failure(.last) : .success(descriptor)
    }

    /// connect(2); nil if the connection is established at once.
    package static func connect(_ socket: Int32, to address: SystemAddress) -> SystemError? {
        unsafe address.withBytes { unsafe SystemError(ofOutcome: sockeye_connect(socket, $0, $1)) }
    }

    package static func bind(_ socket: Int32, to address: SystemAddress) -> SystemError? {
        unsafe address.withBytes { unsafe SystemError(ofOutcome: sockeye_bind(socket, $0, $1)) }
    }

    /// Restricts a socket to the named network interface.
    package static func bind(_ socket: Int32, toInterface name: String) -> SystemError? {
        // A NUL would end the C string early, so that the name would be that of another interface.
        guard !name.utf8.contains(0) else { return .invalidArgument }
        return unsafe SystemError(ofOutcome: sockeye_bind_to_interface(socket, name))
    }

    package static func listen(_ socket: Int32, backlog: Int) -> SystemError? {
        SystemError(ofOutcome: sockeye_listen(socket, Int32(clamping: backlog)))
    }

    /// accept(2); the socket is non-blocking and close-on-exec. Negative on failure.
    package static func accept(_ listener: Int32) -> Int32 { sockeye_accept(listener) }

    /// Returns true if the descriptor's number is in the ``DescriptorReserve``. The caller should then open no more
    /// descriptors.
    package static func isInReserve(_ descriptor: Int32) -> Bool { DescriptorReserve.contains(descriptor) }

    /// Ends the writing direction, or both directions (shutdown(2)).
    package static func shutdown(_ socket: Int32, onlyWriting: Bool) -> SystemError? {
        SystemError(ofOutcome: sockeye_shutdown(socket, onlyWriting))
    }

    /// Makes `close` send a reset and drop unsent data (SO_LINGER of 0 s).
    package static func resetWhenClosed(_ socket: Int32) { sockeye_reset_when_closed(socket) }

    package static func close(_ socket: Int32) { sockeye_close(socket) }

    // MARK: State

    /// Returns true if a descriptor refers to a socket.
    package static func isSocket(_ descriptor: Int32) -> Bool { sockeye_is_socket(descriptor) }

    package static func set(_ socket: Int32, _ option: SystemSocketOption, to value: Int) -> SystemError? {
        SystemError(ofOutcome: sockeye_socket_set(socket, option.option, Int32(clamping: value)))
    }

    /// Returns and clears the pending error (SO_ERROR); nil if there is no error.
    package static func takeError(_ socket: Int32) -> SystemError? {
        SystemError(ofOutcome: sockeye_take_error(socket))
    }

    /// The protocol of a socket (SO_PROTOCOL): 6 for TCP, 262 for MPTCP; nil if unknown.
    package static func protocolNumber(_ socket: Int32) -> Int32? {
        let number = sockeye_socket_protocol(socket)
        return number < 0 ? nil : number
    }

    /// Returns the value of an option; nil if the socket does not support it.
    package static func value(_ socket: Int32, of option: SystemSocketOption) -> Int32? {
        var value: Int32 = 0
        return unsafe sockeye_socket_get(socket, option.option, &value) == 0 ? value : nil
    }

    /// Returns the address of this end; nil on failure, and for an unknown address family.
    package static func localAddress(_ socket: Int32) -> SystemAddress? {
        var address = sockeye_address()
        return unsafe sockeye_local_address(socket, &address) ? SystemAddress(address) : nil
    }

    /// Returns the address of the other end; nil on failure, for example without a connection, and for an unknown
    /// address family.
    package static func peerAddress(_ socket: Int32) -> SystemAddress? {
        var address = sockeye_address()
        return unsafe sockeye_peer_address(socket, &address) ? SystemAddress(address) : nil
    }
}
