import CSockeyeSystem
import Glibc

/// A memory range for vectored output (iovec, writev(2)).
@usableFromInline package typealias IOVector = iovec

extension iovec {
    /// Describes memory to write; the system does not change it.
    @inlinable package init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.init(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    }

    @inlinable package var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: iov_base, count: iov_len)
    }
}

/// An integer socket option (setsockopt(2)).
package struct SystemSocketOption: Sendable {
    let level: Int32
    let name: Int32

    package static var reusesAddress: SystemSocketOption { SystemSocketOption(level: SOL_SOCKET, name: SO_REUSEADDR) }
    package static var sendBufferSize: SystemSocketOption { SystemSocketOption(level: SOL_SOCKET, name: SO_SNDBUF) }
    package static var receiveBufferSize: SystemSocketOption { SystemSocketOption(level: SOL_SOCKET, name: SO_RCVBUF) }
    /// The number of available bytes from which the socket counts as readable (SO_RCVLOWAT).
    package static var readLowWaterMark: SystemSocketOption { SystemSocketOption(level: SOL_SOCKET, name: SO_RCVLOWAT) }
    package static var keepsAlive: SystemSocketOption { SystemSocketOption(level: SOL_SOCKET, name: SO_KEEPALIVE) }
    /// Sends small segments at once (TCP_NODELAY).
    package static var noDelay: SystemSocketOption { SystemSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY) }
    /// The time in ms that sent data may stay unacknowledged (TCP_USER_TIMEOUT).
    package static var userTimeout: SystemSocketOption {
        SystemSocketOption(level: Int32(IPPROTO_TCP), name: TCP_USER_TIMEOUT)
    }
    /// The silence before the first keep-alive probe, in seconds.
    package static var keepAliveIdle: SystemSocketOption {
        SystemSocketOption(level: Int32(IPPROTO_TCP), name: TCP_KEEPIDLE)
    }
    /// The time between keep-alive probes, in seconds.
    package static var keepAliveInterval: SystemSocketOption {
        SystemSocketOption(level: Int32(IPPROTO_TCP), name: TCP_KEEPINTVL)
    }
    /// Sends the SYN with the first written bytes if the peer has given a cookie before (TCP_FASTOPEN_CONNECT).
    package static var fastOpenConnect: SystemSocketOption {
        SystemSocketOption(level: Int32(IPPROTO_TCP), name: TCP_FASTOPEN_CONNECT)
    }
    /// The number of unanswered keep-alive probes until the connection is dropped.
    package static var keepAliveCount: SystemSocketOption {
        SystemSocketOption(level: Int32(IPPROTO_TCP), name: TCP_KEEPCNT)
    }
}

/// The system calls on a stream socket, by its descriptor.
///
/// Transfers return the number of bytes, or a negative number with the error in ``SystemError/last``. They run for
/// every request, so their results are not wrapped.
@usableFromInline package enum SystemSocket {
    // MARK: Transfers

    /// recv(2). 0 means the end.
    @inlinable @inline(__always)
    package static func receive(_ socket: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        unsafe sockeye_receive(socket, buffer.baseAddress, buffer.count)
    }

    /// Returns true if a read would find neither a byte nor the end now. Consumes nothing (MSG_PEEK).
    @inlinable @inline(__always)
    package static func hasNothingToRead(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return unsafe sockeye_peek(socket, &byte, 1) < 0 && errno == EAGAIN
    }

    /// Returns true if the peer's system has not acknowledged bytes that were retransmitted (TCP_INFO, tcp(7)): the
    /// network lost the bytes or the acknowledgement. False for sockets other than TCP.
    package static func isUnacknowledged(_ socket: Int32) -> Bool {
        // struct tcp_info up to tcpi_unacked, a 32-bit number at offset 24; tcpi_retransmits is the third byte.
        var info = (UInt64(0), UInt64(0), UInt64(0), UInt32(0))
        var length = socklen_t(28)
        return unsafe withUnsafeMutableBytes(of: &info) { bytes in
            guard unsafe getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, bytes.baseAddress, &length) == 0, length == 28
            else { return false }
            return unsafe bytes[2] > 0 && bytes.load(fromByteOffset: 24, as: UInt32.self) > 0
        }
    }

    /// send(2), without SIGPIPE.
    @inlinable @inline(__always)
    package static func send(_ socket: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
        unsafe sockeye_send(socket, buffer.baseAddress, buffer.count)
    }

    /// sendmsg(2), without SIGPIPE.
    @inlinable @inline(__always)
    package static func send(_ socket: Int32, vectors: UnsafeBufferPointer<IOVector>) -> Int {
        var message = unsafe msghdr()
        unsafe message.msg_iov = unsafe UnsafeMutablePointer(mutating: vectors.baseAddress)
        unsafe message.msg_iovlen = vectors.count
        return unsafe sendmsg(socket, &message, Int32(MSG_NOSIGNAL))
    }

    /// Copies from the page cache of a file to a socket (sendfile(2)). If `sent` is negative, `error` is the reason.
    /// Blocking SIGPIPE takes two or three short system calls in addition.
    package static func send(
        _ socket: Int32, file: Int32, at offset: Int, count: Int
    ) -> (sent: Int, error: SystemError) {
        PipeSignal.suppressed {
            var position = off_t(offset)
            let sent = unsafe sendfile(socket, file, &position, count)
            return (sent, SystemError.last)
        } mayHaveCome: { sent, error in
            sent < 0 ? error == .brokenPipe : sent < count
        }
    }

    /// Returns true if the error means that this file or file system does not support sendfile. Reading the file then
    /// shows the actual error, if any.
    package static func isFault(ofFile error: SystemError) -> Bool {
        [EINVAL, ENOSYS, EOPNOTSUPP, ESPIPE, EOVERFLOW, EIO, ESTALE, EPERM, EACCES].contains(error.code)
    }

    // MARK: Life

    /// Opens a stream socket, non-blocking and close-on-exec (socket(2)); negative on failure, or with EMFILE if only
    /// the ``DescriptorReserve`` is left.
    package static func open(for address: SystemAddress) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return DescriptorReserve.admit(socket(address.domain, type, 0), for: .socket)
    }

    /// Opens such a socket for MPTCP (RFC 8684); all other calls are the same. `notSupported` if the kernel has no
    /// MPTCP.
    package static func openMultipath(for address: SystemAddress) -> Result<Int32, SystemError> {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = DescriptorReserve.admit(
            socket(address.domain, type, Int32(IPPROTO_MPTCP)), for: .socket)
        guard descriptor < 0 else { return .success(descriptor) }
        let error = SystemError.last
        let isMissing = [EPROTONOSUPPORT, EINVAL, ENOPROTOOPT].contains(error.code)
        return .failure(isMissing ? .notSupported : error)
    }

    /// connect(2); nil if the connection is established at once.
    package static func connect(_ socket: Int32, to address: SystemAddress) -> SystemError? {
        unsafe address.withPointer { unsafe Glibc.connect(socket, $0, $1) == 0 ? nil : SystemError.last }
    }

    package static func bind(_ socket: Int32, to address: SystemAddress) -> SystemError? {
        unsafe address.withPointer { unsafe Glibc.bind(socket, $0, $1) == 0 ? nil : SystemError.last }
    }

    /// Restricts a socket to the named network interface (SO_BINDTODEVICE).
    package static func bind(_ socket: Int32, toInterface name: String) -> SystemError? {
        // The kernel truncates longer names, and an empty name removes the restriction.
        guard !name.isEmpty, name.utf8.count < Int(IF_NAMESIZE), !name.utf8.contains(0) else { return .invalidArgument }
        let size = socklen_t(name.utf8.count)
        return unsafe setsockopt(socket, SOL_SOCKET, SO_BINDTODEVICE, name, size) == 0 ? nil : .last
    }

    package static func listen(_ socket: Int32, backlog: Int) -> SystemError? {
        Glibc.listen(socket, Int32(clamping: backlog)) == 0 ? nil : .last
    }

    /// accept4(2); the socket is non-blocking and close-on-exec. Negative on failure.
    package static func accept(_ listener: Int32) -> Int32 {
        sockeye_accept(listener, Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue))
    }

    /// Returns true if only the ``DescriptorReserve`` is left after a descriptor, so that its owner should open no
    /// more.
    package static func isInReserve(_ descriptor: Int32) -> Bool { DescriptorReserve.contains(descriptor) }

    /// Ends the writing direction, or both (shutdown(2)).
    package static func shutdown(_ socket: Int32, onlyWriting: Bool) -> SystemError? {
        Glibc.shutdown(socket, Int32(onlyWriting ? SHUT_WR : SHUT_RDWR)) == 0 ? nil : .last
    }

    /// Makes `close` send a reset and drop unsent data (SO_LINGER of 0 s).
    package static func resetWhenClosed(_ socket: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    package static func close(_ socket: Int32) {
        _ = Glibc.close(socket)
    }

    // MARK: State

    /// Returns true if a descriptor refers to a socket.
    package static func isSocket(_ descriptor: Int32) -> Bool {
        var type: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0
    }

    package static func set(_ socket: Int32, _ option: SystemSocketOption, to value: Int) -> SystemError? {
        var number = Int32(clamping: value)
        let size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe setsockopt(socket, option.level, option.name, &number, size) == 0 ? nil : .last
    }

    /// Returns and clears the pending error (SO_ERROR); nil if there is no error.
    package static func takeError(_ socket: Int32) -> SystemError? {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return .last }
        return code == 0 ? nil : SystemError(code)
    }

    /// The protocol of a socket (SO_PROTOCOL): 6 for TCP, 262 for MPTCP.
    package static func protocolNumber(_ socket: Int32) -> Int32? { value(of: socket, SOL_SOCKET, SO_PROTOCOL) }

    /// Returns the value of an option; nil if the socket does not support it.
    package static func value(_ socket: Int32, of option: SystemSocketOption) -> Int32? {
        value(of: socket, option.level, option.name)
    }

    private static func value(of socket: Int32, _ level: Int32, _ name: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(socket, level, name, &value, &size) == 0 ? value : nil
    }

    package static func localAddress(_ socket: Int32) -> SystemAddress? {
        unsafe address { unsafe getsockname(socket, $0, $1) }
    }

    package static func peerAddress(_ socket: Int32) -> SystemAddress? {
        unsafe address { unsafe getpeername(socket, $0, $1) }
    }

    private static func address(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SystemAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe call(pointer, &length) == 0 ? SystemAddress(pointer, length: length) : nil
            }
        }
    }
}
