import CSockeyeSystem
import Glibc
import SockeyeCore
import Synchronization

/// An open, non-blocking, close-on-exec socket that is closed exactly once: by `close` or with its last reference.
final class Descriptor: Sendable {
    let number: Int32
    private let isOpen = Mutex(true)
    private let closed = Atomic(false)

    /// Whether the number may be another's by now. Looked at before each use of it, which costs a load: a late call by
    /// whoever still holds the stream must fail and not reach somebody else's connection.
    var isClosed: Bool { closed.load(ordering: .acquiring) }

    /// Takes over a descriptor that is already non-blocking.
    init(adopting number: Int32) {
        self.number = number
    }

    init(domain: Int32) throws(TransportError) {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        number = Glibc.socket(domain, type, 0)
        guard number >= 0 else { throw .system(call: .socket, errno: errno) }
    }

    deinit {
        close()
    }

    func close() {
        isOpen.withLock { isOpen in
            closed.store(true, ordering: .releasing)
            if isOpen { Glibc.close(number) }
            isOpen = false
        }
    }

    /// Runs `body` with the number, which cannot be closed, and reused by others, meanwhile. Nil: it is closed already.
    @discardableResult
    func whileOpen<Result: Sendable>(_ body: (Int32) -> Result) -> Result? {
        isOpen.withLock { isOpen in isOpen ? body(number) : nil }
    }

    func set(_ level: Int32, _ option: Int32, to value: Int) throws(TransportError) {
        var number = Int32(clamping: value)
        let size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe setsockopt(self.number, level, option, &number, size) == 0 else {
            throw .system(call: .setsockopt, errno: errno)
        }
    }

    func apply(_ options: SocketOptions, isTCP: Bool) throws(TransportError) {
        if let size = options.sendBufferSize { try set(SOL_SOCKET, SO_SNDBUF, to: size) }
        if let size = options.receiveBufferSize { try set(SOL_SOCKET, SO_RCVBUF, to: size) }
        guard isTCP else { return }
        let tcp = Int32(IPPROTO_TCP)
        if options.noDelay { try set(tcp, TCP_NODELAY, to: 1) }
        if let timeout = options.userTimeout {
            try set(tcp, TCP_USER_TIMEOUT, to: Int(timeout.clampedNanoseconds / 1_000_000))
        }
        if let keepAlive = options.keepAlive {
            try set(SOL_SOCKET, SO_KEEPALIVE, to: 1)
            try set(tcp, TCP_KEEPIDLE, to: max(1, Int(keepAlive.idle.components.seconds)))
            try set(tcp, TCP_KEEPINTVL, to: max(1, Int(keepAlive.interval.components.seconds)))
            try set(tcp, TCP_KEEPCNT, to: max(1, keepAlive.count))
        }
    }

    func bind(to address: SocketAddress) throws(TransportError) {
        let code = unsafe address.withSockaddr { unsafe Glibc.bind(number, $0, $1) == 0 ? 0 : errno }
        guard code == 0 else { throw .system(call: .bind, errno: code) }
    }

    /// The pending error of the socket, which also clears it.
    func takeError() -> Int32 {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
    }

    private func address(
        _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SocketAddress? {
        guard !isClosed else { return nil }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe call(number, pointer, &length) == 0 ? SocketAddress(pointer, length: length) : nil
            }
        }
    }

    var localAddress: SocketAddress? { unsafe address { unsafe getsockname($0, $1, $2) } }
    var peerAddress: SocketAddress? { unsafe address { unsafe getpeername($0, $1, $2) } }
}
