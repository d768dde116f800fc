import Glibc
import Synchronization

/// A name server on loopback, over UDP and TCP on one random port, whose answers a test defines: correct,
/// false, late, duplicate, malformed or missing ones.
package final class TestNameServer: Sendable {
    /// A reaction to a question.
    package enum Action: Sendable {
        /// Sends a message, over TCP with its length before it.
        case send([UInt8])
        /// Sends a message after a delay.
        case sendLater([UInt8], Duration)
        /// Sends raw bytes, over TCP without a length.
        case sendRaw([UInt8])
        /// Ends the TCP connection.
        case close
    }

    package typealias Script = @Sendable (DNSQuestion) -> [Action]

    package let port: Int
    /// The write end of a pipe; closing it ends the thread.
    private let stopper: Int32
    private let script: Script
    private let seen = Mutex<[DNSQuestion]>([])

    /// Starts a server. Its thread ends when the server is released.
    package init(_ script: @escaping Script) throws {
        var (udp, tcp, port) = (Int32(-1), Int32(-1), UInt16(0))
        // A port that is free for UDP may be in use for TCP.
        for _ in 0..<20 where tcp < 0 {
            udp = try Self.open(Int32(SOCK_DGRAM.rawValue), port: 0)
            port = Self.port(of: udp)
            tcp = (try? Self.open(Int32(SOCK_STREAM.rawValue), port: port)) ?? -1
            if tcp < 0 { Glibc.close(udp) }
        }
        guard tcp >= 0, Glibc.listen(tcp, 128) == 0 else { throw UnmetCondition("a port for UDP and TCP") }
        self.port = Int(port)
        var size = Int32(4 << 20)
        unsafe setsockopt(udp, SOL_SOCKET, SO_RCVBUFFORCE, &size, socklen_t(MemoryLayout<Int32>.size))
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw UnmetCondition("a pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopper = ends[1]
        self.script = script
        var thread = pthread_t()
        let loop = unsafe Unmanaged.passRetained(
            Loop(udp: udp, tcp: tcp, stopped: ends[0]) { [weak self] in self?.take($0) ?? [] })
        unsafe pthread_create(
            &thread, nil,
            { loop in
                unsafe Unmanaged<Loop>.fromOpaque(loop!).takeRetainedValue().run()
                return nil
            }, loop.toOpaque())
        pthread_detach(thread)
    }

    deinit {
        Glibc.close(stopper)
    }

    /// The questions received so far.
    package var questions: [DNSQuestion] { seen.withLock(\.self) }

    private func take(_ question: DNSQuestion) -> [Action] {
        seen.withLock { $0.append(question) }
        return script(question)
    }

    private static func open(_ type: Int32, port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, type | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            Glibc.close(descriptor)
            throw UnmetCondition("a socket bound to a port")
        }
        return descriptor
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe getsockname(descriptor, pointer, &length)
                return unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    unsafe UInt16(bigEndian: $0.pointee.sin_port)
                }
            }
        }
    }
}

/// The server's thread: one poll(2) loop over its sockets and connections.
private final class Loop {
    private struct Connection {
        var received: [UInt8] = []
    }

    /// The destination of an answer.
    private enum Peer {
        case datagram(sockaddr_in)
        case stream(Int32)
    }

    private let udp: Int32
    private let tcp: Int32
    private let stopped: Int32
    private let script: (DNSQuestion) -> [TestNameServer.Action]
    private var connections: [Int32: Connection] = [:]
    private var late: [(due: Double, bytes: [UInt8], peer: Peer)] = []

    init(udp: Int32, tcp: Int32, stopped: Int32, script: @escaping (DNSQuestion) -> [TestNameServer.Action]) {
        (self.udp, self.tcp, self.stopped, self.script) = (udp, tcp, stopped, script)
    }

    func run() {
        while true {
            var watched = [udp, tcp, stopped] + connections.keys
            var polls = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            unsafe poll(&polls, nfds_t(polls.count), timeout)
            if polls[2].revents != 0 { break }
            sendDue()
            watched = polls.filter { $0.revents != 0 }.map(\.fd)
            for descriptor in watched {
                switch descriptor {
                case udp: readDatagrams()
                case tcp: accept()
                default: read(descriptor)
                }
            }
        }
        for descriptor in [udp, tcp, stopped] + connections.keys { Glibc.close(descriptor) }
    }

    private var timeout: Int32 {
        guard let next = late.map(\.due).min() else { return -1 }
        return Int32(max(0, (next - ProcessMeter.now) * 1_000) + 1)
    }

    private func sendDue() {
        let now = ProcessMeter.now
        let due = late.filter { $0.due <= now }
        late.removeAll { $0.due <= now }
        for (_, bytes, peer) in due { send(bytes, to: peer) }
    }

    private func readDatagrams() {
        var room = [UInt8](repeating: 0, count: 65_536)
        while true {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let count = unsafe withUnsafeMutablePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe recvfrom(udp, &room, room.count, 0, $0, &length)
                }
            }
            guard count > 0 else { return }
            answer(Array(room[..<count]), .datagram(address))
        }
    }

    private func accept() {
        let descriptor = Glibc.accept(tcp, nil, nil)
        guard descriptor >= 0 else { return }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        connections[descriptor] = Connection()
    }

    private func read(_ descriptor: Int32) {
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return close(descriptor) }
        connections[descriptor]?.received += room[..<count]
        while let received = connections[descriptor]?.received, received.count >= 2 {
            let length = Int(received[0]) << 8 | Int(received[1])
            guard received.count >= 2 + length else { return }
            connections[descriptor]?.received.removeFirst(2 + length)
            answer(Array(received[2..<2 + length]), .stream(descriptor))
        }
    }

    private func close(_ descriptor: Int32) {
        guard connections.removeValue(forKey: descriptor) != nil else { return }
        late.removeAll { if case .stream(descriptor) = $0.peer { true } else { false } }
        Glibc.close(descriptor)
    }

    private func answer(_ message: [UInt8], _ peer: Peer) {
        var isStream = false
        if case .stream = peer { isStream = true }
        guard let question = DNSQuestion(message, isStream: isStream) else { return }
        for action in script(question) {
            switch action {
            case .send(let bytes): send(framed(bytes, peer), to: peer)
            case .sendLater(let bytes, let delay):
                let seconds = Double(delay.components.seconds) + Double(delay.components.attoseconds) / 1e18
                late.append((ProcessMeter.now + seconds, framed(bytes, peer), peer))
            case .sendRaw(let bytes): send(bytes, to: peer)
            case .close: if case .stream(let descriptor) = peer { close(descriptor) }
            }
        }
    }

    private func framed(_ bytes: [UInt8], _ peer: Peer) -> [UInt8] {
        if case .datagram = peer { return bytes }
        return [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }

    private func send(_ bytes: [UInt8], to peer: Peer) {
        switch peer {
        case .datagram(let address):
            unsafe withUnsafePointer(to: address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = unsafe sendto(udp, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        case .stream(let descriptor):
            _ = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }
}
