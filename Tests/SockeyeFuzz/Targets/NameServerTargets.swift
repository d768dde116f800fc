#if AsyncDNS
import Glibc
import SockeyeDNS
import SockeyePlatform

/// Answers of name servers, as c-ares and the code around it read them.
enum NameServerTargets {
    /// Each query of a look-up gets answers from the input, by UDP and, after a truncated answer, by TCP.
    static let answers: FuzzTarget = { bytes in
        guard let server = unsafe Server.shared else { return }
        server.answer(with: bytes)
    }

    /// A name server on loopback, on the thread of the look-up.
    ///
    /// `shared` is `nonisolated(unsafe)`, because the fuzzer calls a target on one thread only.
    private final class Server {
        nonisolated(unsafe) static let shared = Server()

        private let datagrams: Int32
        private let listener: Int32
        private let port: UInt16
        private var streams: [Int32] = []

        private init?() {
            let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | flags, 0)
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | flags, 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            guard Self.bind(datagrams, &address), Self.bind(listener, &address), listen(listener, 8) == 0 else {
                return nil
            }
            port = UInt16(bigEndian: address.sin_port)
        }

        /// Binds to a port, and stores the port in the address if that has none yet.
        private static func bind(_ descriptor: Int32, _ address: inout sockaddr_in) -> Bool {
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            return unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe Glibc.bind(descriptor, pointer, length) == 0
                        && getsockname(descriptor, pointer, &length) == 0
                }
            }
        }

        /// Makes one look-up, and answers its queries with the input. The look-up must end exactly once and leave no
        /// socket.
        func answer(with bytes: [UInt8]) {
            var settings = NameServerChannel.Settings()
            settings.servers = ["127.0.0.1:\(port)"]
            settings.searchDomains = []
            settings.milliseconds = 20
            settings.attempts = 1
            settings.path = "/nonexistent/resolv.conf"
            guard let channel = try? NameServerChannel(settings) else { return }
            var input = FuzzInput(bytes)
            var plan = Plan(form: input.choice(below: 4), isStream: input.flag(), closesStreams: input.flag())
            plan.bytes = input.bytes
            var lookUp = LookUp(channel)
            channel.query(for: "a.test", as: 7)
            lookUp.takeEvents()
            // Any answer needs fewer rounds than these, and a look-up that is not complete after them is abandoned.
            for _ in 0..<12 where lookUp.result == nil {
                serve(plan)
                lookUp.process()
            }
            channel.cancelAll()
            lookUp.takeEvents()
            lookUp.finish()
            for stream in streams { close(stream) }
            streams = []
            drain()
        }

        private func serve(_ plan: Plan) {
            var room = [UInt8](repeating: 0, count: 4_096)
            var address = sockaddr_in()
            while true {
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                let count = unsafe withUnsafeMutablePointer(to: &address) {
                    unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        unsafe recvfrom(datagrams, &room, room.count, 0, $0, &length)
                    }
                }
                guard count > 0 else { break }
                let reply = plan.isStream ? plan.truncated(room[..<count]) : plan.reply(to: room[..<count])
                unsafe withUnsafePointer(to: address) {
                    unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        _ = unsafe sendto(datagrams, reply, reply.count, 0, $0, length)
                    }
                }
            }
            while case let stream = accept(listener, nil, nil), stream >= 0 {
                streams.append(stream)
            }
            for stream in streams {
                let count = unsafe recv(stream, &room, room.count, Int32(MSG_DONTWAIT))
                // The query follows its length (RFC 1035 4.2.2).
                guard count > 2 else { continue }
                let reply = plan.reply(to: room[2..<count])
                let framed =
                    [UInt8(truncatingIfNeeded: reply.count >> 8), UInt8(truncatingIfNeeded: reply.count)] + reply
                _ = unsafe send(stream, framed, framed.count, Int32(MSG_NOSIGNAL))
                if plan.closesStreams { shutdown(stream, Int32(SHUT_RDWR)) }
            }
        }

        private func drain() {
            var room = [UInt8](repeating: 0, count: 512)
            while unsafe recv(datagrams, &room, room.count, 0) > 0 {}
        }
    }

    /// The way to make answers from the input.
    private struct Plan {
        /// 0: The input follows the query's number. 1: The input follows a valid header. 2: The input is the records of
        /// a valid header. 3: The input is the whole answer.
        let form: Int
        let isStream: Bool
        let closesStreams: Bool
        var bytes: [UInt8] = []

        func reply(to query: ArraySlice<UInt8>) -> [UInt8] {
            let query = Array(query)
            guard query.count >= 12 else { return bytes }
            switch form {
            case 0: return Array(query[..<2]) + bytes
            case 1: return Array(query[..<2]) + [0x81, 0x80, 0, 1, 0, 8, 0, 4, 0, 4] + bytes
            case 2:
                let code = (bytes.first ?? 0) & 0x0F
                let records = UInt8(bytes.dropFirst().first ?? 1)
                return Array(query[..<2]) + [0x81, 0x80 | code, 0, 1, 0, records, 0, 0, 0, 0] + question(query)
                    + bytes.dropFirst(2)
            default: return bytes
            }
        }

        /// Returns a truncated answer (TC bit), after which the client repeats the query over TCP.
        func truncated(_ query: ArraySlice<UInt8>) -> [UInt8] {
            let query = Array(query)
            return Array(query.prefix(2)) + [0x83, 0x80, 0, 1, 0, 0, 0, 0, 0, 0] + question(query)
        }

        private func question(_ query: [UInt8]) -> [UInt8] {
            var end = 12
            while end < query.count, query[end] > 0 { end += 1 + Int(query[end]) }
            return Array(query[min(12, query.count)..<min(query.count, end + 5)])
        }
    }

    /// A look-up, and the sockets that its channel has reported.
    private struct LookUp {
        let channel: NameServerChannel
        private(set) var result: Result<NameServerChannel.Answer, NameServerChannel.Failure>?
        private var sockets: [Int32] = []

        init(_ channel: NameServerChannel) {
            self.channel = channel
        }

        mutating func takeEvents() {
            let events = channel.takeEvents()
            sockets += events.opened.map(\.socket)
            for socket in events.retired {
                require(sockets.contains(socket), "socket \(socket) was retired but never reported")
                sockets.removeAll { $0 == socket }
                SystemSocket.close(socket)
            }
            for (question, result) in events.answers {
                require(question == 7 && self.result == nil, "question \(question) is answered again")
                self.result = result
            }
        }

        /// Lets the channel use the ready sockets, or waits a moment if no socket is ready.
        mutating func process() {
            var polls = sockets.map { pollfd(fd: $0, events: Int16(POLLIN | POLLOUT), revents: 0) }
            unsafe poll(&polls, nfds_t(polls.count), 1)
            for entry in polls where sockets.contains(entry.fd) {
                if entry.revents & Int16(POLLOUT) != 0 { _ = channel.process(entry.fd, reads: false) }
                takeEvents()
                guard sockets.contains(entry.fd) else { continue }
                if entry.revents & ~Int16(POLLOUT) != 0 { _ = channel.process(entry.fd, reads: true) }
                takeEvents()
            }
            channel.processTimeouts()
            takeEvents()
        }

        func finish() {
            require(sockets.isEmpty, "\(sockets.count) sockets are left")
            switch result {
            case .success(let answer):
                require(
                    !answer.addresses.isEmpty && answer.addresses.count <= 128, "\(answer.addresses.count) addresses")
                require(answer.timeToLive >= 0, "a time to live of \(answer.timeToLive)")
                require(Set(answer.addresses).count == answer.addresses.count, "an address twice")
            case .failure: break
            case nil: require(false, "the look-up was not answered")
            }
        }
    }
}
#else
/// Without the trait there is no code to fuzz.
enum NameServerTargets {
    static let answers: FuzzTarget = { _ in }
}
#endif
