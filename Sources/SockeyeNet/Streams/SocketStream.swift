package import CSockeyeSystem
import Glibc
package import SockeyeCore
import Synchronization

/// A connected TCP or unix-domain socket.
package final class SocketStream: ByteStream {
    private let descriptor: Descriptor
    private let point: WaitPoint
    /// What SO_RCVLOWAT is.
    private let gathered = Atomic(1)

    private init(_ descriptor: Descriptor, poller: any Poller) throws(TransportError) {
        self.descriptor = descriptor
        point = try poller.makeWaitPoint(descriptor: descriptor.number)
    }

    deinit {
        close()
    }

    /// Connects without blocking the thread.
    ///
    /// Throws the connect error, ``TransportError/timedOut`` or ``TransportError/cancelled``; the socket is closed then.
    package static func connect(
        to address: SocketAddress, options: SocketOptions = SocketOptions(), poller: any Poller,
        until deadline: MonotonicTime
    ) async throws(TransportError) -> SocketStream {
        let descriptor = try Descriptor(domain: address.domain)
        try descriptor.apply(options, isTCP: address.family != .unix)
        if let local = options.localAddress, local.family == address.family { try descriptor.bind(to: local) }
        var code = unsafe address.withSockaddr { unsafe Glibc.connect(descriptor.number, $0, $1) == 0 ? 0 : errno }
        // A unix-domain listener whose backlog is full says so at once, and nothing tells when it is not any more.
        while code == EAGAIN, address.family == .unix, poller.time.now < deadline {
            try await poller.sleep(until: min(deadline, poller.time.now.advanced(by: .milliseconds(5))))
            code = unsafe address.withSockaddr { unsafe Glibc.connect(descriptor.number, $0, $1) == 0 ? 0 : errno }
        }
        if code == EAGAIN { throw .timedOut }
        guard code == 0 || code == EINPROGRESS || code == EINTR else {
            throw .system(call: .connect, errno: code)
        }
        let stream = try SocketStream(descriptor, poller: poller)
        // A peer on this machine has accepted by now most often: the kernel hands its own packets over within the call. Asking
        // costs less than a wait and the two changes of threads that it takes.
        if code != 0, address.family == .unix || descriptor.peerAddress == nil {
            try await stream.finishConnecting(to: address, until: deadline)
        }
        return stream
    }

    private func finishConnecting(to address: SocketAddress, until deadline: MonotonicTime) async throws(TransportError)
    {
        while true {
            do throws(TransportError) {
                try await wait(for: .write, as: .writer, until: deadline)
            } catch {
                close()
                throw error
            }
            let code = descriptor.takeError()
            guard code == 0 else {
                close()
                throw .system(call: .connect, errno: code)
            }
            // Edges may come early; only a socket with a peer is connected.
            if address.family == .unix || descriptor.peerAddress != nil { return }
        }
    }

    /// Wraps a socket that is connected already, such as an accepted one. Closes it on failure.
    static func adopting(_ descriptor: Descriptor, poller: any Poller) throws(TransportError) -> SocketStream {
        try SocketStream(descriptor, poller: poller)
    }

    package var localAddress: SocketAddress? { descriptor.localAddress }
    package var peerAddress: SocketAddress? { descriptor.peerAddress }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        guard !descriptor.isClosed else { return .failed(.closed) }
        while true {
            let count = unsafe sockeye_receive(descriptor.number, buffer.baseAddress, buffer.count)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            let code = errno
            if code == EAGAIN { return .wouldBlock(.read) }
            if code != EINTR { return .failed(.system(call: .recv, errno: code)) }
        }
    }

    package var hasNothingToRead: Bool {
        var byte: UInt8 = 0
        return unsafe !descriptor.isClosed && sockeye_peek(descriptor.number, &byte, 1) < 0 && errno == EAGAIN
    }

    /// Sets SO_RCVLOWAT, below which epoll reports no bytes (Linux 4.18 and later; unix-domain sockets ignore it). The end of
    /// the peer, a reset and a receive window that is all but full are reported regardless. May raise the receive buffer
    /// to what such a window takes, twice as much, unless the caller has chosen its size: no more than the kernel gives
    /// to anything that comes fast.
    package func gather(atLeast count: Int) {
        guard gathered.load(ordering: .relaxed) != count else { return }
        gathered.store(count, ordering: .relaxed)
        descriptor.whileOpen { _ in try? descriptor.set(SOL_SOCKET, SO_RCVLOWAT, to: count) }
    }

    package func write(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        guard !descriptor.isClosed else { return .failed(.closed) }
        while true {
            let count = unsafe sockeye_send(descriptor.number, buffer.baseAddress, buffer.count)
            if count >= 0 { return .bytes(count) }
            let code = errno
            if code == EAGAIN { return .wouldBlock(.write) }
            if code != EINTR { return .failed(.system(call: .send, errno: code)) }
        }
    }

    package func write(vectors: UnsafeBufferPointer<iovec>) -> Transfer {
        guard !descriptor.isClosed else { return .failed(.closed) }
        var message = unsafe msghdr()
        unsafe message.msg_iov = unsafe UnsafeMutablePointer(mutating: vectors.baseAddress)
        unsafe message.msg_iovlen = vectors.count
        while true {
            let count = unsafe sendmsg(descriptor.number, &message, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            let code = errno
            if code == EAGAIN { return .wouldBlock(.write) }
            if code != EINTR { return .failed(.system(call: .sendmsg, errno: code)) }
        }
    }

    package func write(file: Int32, from offset: Int, count: Int) -> Transfer? {
        guard !descriptor.isClosed else { return .failed(.closed) }
        while true {
            let (sent, code) = FileSending.send(from: file, at: offset, count: count, to: descriptor.number)
            if sent >= 0 { return .bytes(sent) }
            if code == EAGAIN { return .wouldBlock(.write) }
            if FileSending.isFault(ofFile: code) { return nil }
            if code != EINTR { return .failed(.system(call: .sendfile, errno: code)) }
        }
    }

    package var socketDescriptor: Int32? { descriptor.isClosed ? nil : descriptor.number }

    package func waitPoint(for interest: Interest, as side: Side) -> WaitPoint { point }

    package func closeWrite() -> Transfer {
        guard !descriptor.isClosed else { return .failed(.closed) }
        return shutdown(descriptor.number, Int32(SHUT_WR)) == 0
            ? .bytes(0) : .failed(.system(call: .shutdown, errno: errno))
    }

    package func abort() {
        descriptor.whileOpen { _ = shutdown($0, Int32(SHUT_RDWR)) }
        point.signal([.read, .write])
    }

    /// The order matters: once the wait point is gone no event can reach whoever gets the number next.
    package func close() {
        point.close()
        descriptor.close()
    }

    /// Closes with a reset instead of an orderly end: what is unsent is dropped and the peer's next call fails.
    package func reset() {
        point.close()
        descriptor.whileOpen { number in
            var option = linger(l_onoff: 1, l_linger: 0)
            unsafe setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
        descriptor.close()
    }
}
