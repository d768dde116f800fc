import SockeyeCore
import SockeyePlatform
import Synchronization

/// A non-blocking, close-on-exec stream socket. It is closed exactly once: by `close`, or when its last reference is
/// released.
final class Socket: Sendable {
    let number: Int32
    private let isOpen = Mutex(true)
    private let closed = Atomic(false)

    /// True if the socket is closed. Its number may then belong to another connection, so streams check this property
    /// before each transfer. They need no lock, because a stream is never closed during a transfer (see
    /// ``ByteStream``).
    var isClosed: Bool { closed.load(ordering: .acquiring) }

    /// Adopts a descriptor that is already non-blocking.
    init(adopting number: Int32) {
        self.number = number
    }

    /// Opens a socket of the family of `address`.
    init(for address: EndpointAddress) throws(TransportError) {
        let number = SystemSocket.open(for: address.system)
        guard number >= 0 else { throw .failed(.socket) }
        // Assigned last: once every property is set, an initializer that throws runs `deinit`, which would close -1.
        self.number = number
    }

    /// Opens an MPTCP socket; nil if the kernel does not support MPTCP.
    init?(multipathFor address: EndpointAddress) throws(TransportError) {
        switch SystemSocket.openMultipath(for: address.system) {
        case .success(let number): self.number = number
        case .failure(.notSupported): return nil
        case .failure(let error): throw .failed(.socket, error)
        }
    }

    deinit {
        close()
    }

    func close() {
        isOpen.withLock { isOpen in
            closed.store(true, ordering: .releasing)
            if isOpen { SystemSocket.close(number) }
            isOpen = false
        }
    }

    /// Calls `body` with the socket's number under the lock, so that the socket is not closed, and its number not
    /// reused, meanwhile. Returns nil if the socket is already closed.
    @discardableResult
    func whileOpen<Result: Sendable>(_ body: (Int32) -> Result) -> Result? {
        isOpen.withLock { isOpen in isOpen ? body(number) : nil }
    }

    func set(_ option: SystemSocketOption, to value: Int) throws(TransportError) {
        if let error = SystemSocket.set(number, option, to: value) { throw .failed(.setsockopt, error) }
    }

    func apply(_ options: SocketOptions, isTCP: Bool) throws(TransportError) {
        if let size = options.sendBufferSize { try set(.sendBufferSize, to: size) }
        if let size = options.receiveBufferSize { try set(.receiveBufferSize, to: size) }
        guard isTCP else { return }
        if let interface = options.interface { try bind(toInterface: interface) }
        if options.noDelay { try set(.noDelay, to: 1) }
        // An error is ignored: the socket then connects without TCP Fast Open.
        if options.fastOpen { _ = SystemSocket.set(number, .fastOpenConnect, to: 1) }
        if let timeout = options.userTimeout {
            // At least 1 ms, because 0 stands for the system's own limit, about 15 minutes.
            try set(.userTimeout, to: max(1, Int(timeout.clampedNanoseconds / 1_000_000)))
        }
        if let keepAlive = options.keepAlive {
            try set(.keepsAlive, to: 1)
            try set(.keepAliveIdle, to: Self.probeSeconds(keepAlive.idle))
            try set(.keepAliveInterval, to: Self.probeSeconds(keepAlive.interval))
            try set(.keepAliveCount, to: min(max(1, keepAlive.count), 127))
        }
    }

    /// Converts a duration to whole seconds within the bounds of tcp(7); the kernel refuses other values.
    private static func probeSeconds(_ duration: Duration) -> Int {
        min(max(1, Int(duration.clampedNanoseconds / 1_000_000_000)), 32_767)
    }

    private func bind(toInterface name: String) throws(TransportError) {
        if let error = SystemSocket.bind(number, toInterface: name) { throw .failed(.bindToInterface, error) }
    }

    func bind(to address: EndpointAddress) throws(TransportError) {
        if let error = SystemSocket.bind(number, to: address.system) { throw .failed(.bind, error) }
    }

    /// Returns and clears the pending error of the socket.
    func takeError() -> SystemError? { SystemSocket.takeError(number) }

    var localAddress: EndpointAddress? { isClosed ? nil : SystemSocket.localAddress(number).map(EndpointAddress.init) }
    var peerAddress: EndpointAddress? { isClosed ? nil : SystemSocket.peerAddress(number).map(EndpointAddress.init) }
}
