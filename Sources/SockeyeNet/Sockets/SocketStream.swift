package import SockeyeCore
package import SockeyePlatform
import Synchronization

/// A connected TCP or unix-domain socket.
package final class SocketStream: ByteStream {
    private let socket: Socket
    private let point: WaitPoint
    /// The current read low-water mark (SO_RCVLOWAT), in bytes.
    private let lowWaterMark = Atomic(1)
    /// The peer of a socket that connects at its first write (TCP Fast Open); nil for every other socket. Errors of
    /// connecting are reported only from that write on.
    package let deferredPeer: EndpointAddress?

    private init(
        _ socket: Socket, poller: any Poller, deferredPeer: EndpointAddress? = nil
    ) throws(TransportError) {
        self.socket = socket
        self.deferredPeer = deferredPeer
        point = try poller.makeWaitPoint(descriptor: socket.number)
    }

    deinit {
        close()
    }

    /// Connects without blocking the thread.
    ///
    /// - Throws: The error of a system call, ``TransportError/timedOut`` or ``TransportError/cancelled``; the socket is
    ///   then closed.
    package static func connect(
        to address: EndpointAddress, options: SocketOptions = SocketOptions(), poller: any Poller,
        until deadline: MonotonicTime
    ) async throws(TransportError) -> SocketStream {
        let socket = try makeSocket(for: address, options)
        if let local = options.localAddress(for: address) { try socket.bind(to: local) }
        var error = SystemSocket.connect(socket.number, to: address.system)
        // If the backlog of a unix-domain listener is full, connect(2) fails at once, and the kernel does not report
        // when the backlog has room again. So the call is repeated every 5 ms.
        while error == .wouldBlock, address.family == .unix, poller.time.now < deadline {
            try await poller.sleep(until: .earlier(deadline, poller.time.now.advanced(by: .milliseconds(5))))
            error = SystemSocket.connect(socket.number, to: address.system)
        }
        if let failure = connectFailure(error, address.family) { throw failure }
        let isDeferred = options.fastOpen && error == nil && address.family != .unix && socket.peerAddress == nil
        let stream = try SocketStream(socket, poller: poller, deferredPeer: isDeferred ? address : nil)
        // A connection to a peer on this machine is usually open by now: the kernel delivers loopback packets within
        // the call of connect(2). Checking costs less than a wait and its two context switches.
        if error != nil, address.family == .unix || socket.peerAddress == nil {
            try await stream.finishConnecting(to: address, until: deadline)
        }
        return stream
    }

    /// Returns the failure that the outcome of connect(2) means; nil if the socket is connected or connecting.
    static func connectFailure(_ error: SystemError?, _ family: EndpointAddress.Family) -> TransportError? {
        guard let error, error != .inProgress, error != .interrupted else { return nil }
        // The backlog of the listener had no room until the deadline. With TCP the same error means a lack of local
        // ports or routes.
        if error == .wouldBlock, family == .unix { return .timedOut }
        return .failed(.connect, error)
    }

    private static func makeSocket(
        for address: EndpointAddress, _ options: SocketOptions
    ) throws(TransportError) -> Socket {
        let isTCP = address.family != .unix
        if options.multipath, isTCP, let socket = try Socket(multipathFor: address) {
            do throws(TransportError) {
                try socket.apply(options, isTCP: true)
                return socket
            } catch .system(.setsockopt, let error) where error.isRefusalOfOption {
                // MPTCP does not support an option. The options must be set, while MPTCP is optional: use plain TCP.
            }
        }
        let socket = try Socket(for: address)
        try socket.apply(options, isTCP: isTCP)
        return socket
    }

    private func finishConnecting(to address: EndpointAddress, until deadline: MonotonicTime)
        async throws(TransportError)
    {
        while true {
            do throws(TransportError) {
                try await wait(for: .write, as: .writer, until: deadline)
            } catch {
                close()
                throw error
            }
            if let error = socket.takeError() {
                close()
                throw .failed(.connect, error)
            }
            // The poller may report writability too early; only a socket with a peer is connected.
            if address.family == .unix || socket.peerAddress != nil { return }
        }
    }

    /// Wraps a socket that is already connected, such as an accepted one. Closes it on failure.
    static func adopting(_ socket: Socket, poller: any Poller) throws(TransportError) -> SocketStream {
        try SocketStream(socket, poller: poller)
    }

    package var localAddress: EndpointAddress? { socket.localAddress }
    package var peerAddress: EndpointAddress? { socket.peerAddress }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        guard !socket.isClosed else { return .failed(.closed) }
        while true {
            let count = unsafe SystemSocket.receive(socket.number, into: buffer)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            let error = SystemError.last
            if error == .wouldBlock { return .wouldBlock(.read) }
            if error != .interrupted { return .failed(.failed(.recv, error)) }
        }
    }

    package var hasNothingToRead: Bool {
        !socket.isClosed && SystemSocket.hasNothingToRead(socket.number)
    }

    package var isUnacknowledged: Bool { socket.whileOpen { SystemSocket.isUnacknowledged($0) } ?? false }

    /// Sets SO_RCVLOWAT: the poller then reports no arrivals until `count` bytes are available (Linux 4.18 and later;
    /// unix-domain sockets ignore it). Without ``SystemFeature/lowWaterMark`` the poller reports each arrival. The end
    /// of the peer's stream, a reset and an almost full receive window are always reported.
    ///
    /// The kernel may enlarge the receive buffer to twice the mark, unless the caller has set the buffer's size.
    package func setReadLowWaterMark(_ count: Int) {
        guard lowWaterMark.load(ordering: .relaxed) != count else { return }
        lowWaterMark.store(count, ordering: .relaxed)
        socket.whileOpen { _ in try? socket.set(.readLowWaterMark, to: count) }
    }

    package func write(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        guard !socket.isClosed else { return .failed(.closed) }
        while true {
            let count = unsafe SystemSocket.send(socket.number, buffer)
            if count >= 0 { return .bytes(count) }
            let error = SystemError.last
            // EINPROGRESS of TCP Fast Open: the SYN was sent without the bytes, which must be written again later.
            if error == .wouldBlock || error == .inProgress { return .wouldBlock(.write) }
            if error != .interrupted { return .failed(.failed(.send, error)) }
        }
    }

    package func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer {
        guard !socket.isClosed else { return .failed(.closed) }
        while true {
            let count = unsafe SystemSocket.send(socket.number, vectors: vectors)
            if count >= 0 { return .bytes(count) }
            let error = SystemError.last
            if error == .wouldBlock || error == .inProgress { return .wouldBlock(.write) }
            if error != .interrupted { return .failed(.failed(.sendmsg, error)) }
        }
    }

    package func write(file: Int32, from offset: Int, count: Int) -> Transfer? {
        guard !socket.isClosed else { return .failed(.closed) }
        while true {
            let (sent, error) = SystemSocket.send(socket.number, file: file, at: offset, count: count)
            if sent >= 0 { return .bytes(sent) }
            if error == .wouldBlock { return .wouldBlock(.write) }
            if SystemSocket.isFault(ofFile: error) { return nil }
            if error != .interrupted { return .failed(.failed(.sendfile, error)) }
        }
    }

    package var socketDescriptor: Int32? { socket.isClosed ? nil : socket.number }

    package func waitPoint(for interest: Interest, as role: StreamRole) -> WaitPoint { point }

    package func closeWrite() -> Transfer {
        guard !socket.isClosed else { return .failed(.closed) }
        let error = SystemSocket.shutdown(socket.number, onlyWriting: true)
        return error.map { .failed(.failed(.shutdown, $0)) } ?? .bytes(0)
    }

    package func abort() {
        socket.whileOpen { _ = SystemSocket.shutdown($0, onlyWriting: false) }
        point.signal([.read, .write])
    }

    /// Closes the wait point first, so that no event can reach the next user of the descriptor's number.
    package func close() {
        point.close()
        socket.close()
    }

    /// Closes with a reset instead of an orderly end: unsent data is dropped and the peer's next call fails.
    package func reset() {
        point.close()
        socket.whileOpen { SystemSocket.resetWhenClosed($0) }
        socket.close()
    }
}
