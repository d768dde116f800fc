import Glibc
import Synchronization

/// A server on a thread with its own descriptor table. It continues to accept while the rest of the process has run out
/// of descriptors. It answers every request with `ok`.
final class SeparateServer: Sendable {
    let port: Int

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, size) + listen(listener, 128) + getsockname(listener, pointer, &size)
            }
        }
        guard listener >= 0, code == 0 else { throw Failure() }
        port = Int(UInt16(bigEndian: address.sin_port))
        let isSeparate = DispatchlessSignal()
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(Start(listener: listener, isSeparate: isSeparate))
        let started = unsafe pthread_create(
            &thread, nil,
            { argument in
                unsafe Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue().serve()
                return nil
            }, unsafe argument.toOpaque())
        guard started == 0 else { throw Failure() }
        pthread_detach(thread)
        isSeparate.wait()
        close(listener)
    }

    /// Returns the URL of one of many origins that all lead to this server.
    func url(_ host: Int) -> String { "http://127.0.0.\(host):\(port)/" }

    private struct Failure: Error {}

    /// A signal without descriptors; a pipe would use two of those that the test counts.
    private final class DispatchlessSignal: Sendable {
        private let isSet = Atomic(false)
        func set() { isSet.store(true, ordering: .releasing) }
        func wait() { while !isSet.load(ordering: .acquiring) { sched_yield() } }
    }

    private final class Start: Sendable {
        let listener: Int32
        let isSeparate: DispatchlessSignal

        init(listener: Int32, isSeparate: DispatchlessSignal) {
            self.listener = listener
            self.isSeparate = isSeparate
        }

        func serve() {
            // The address of unshare(2), which Glibc's headers do not declare here. 0x400 is CLONE_FILES.
            typealias Unshare = @convention(c) (Int32) -> Int32
            guard let symbol = unsafe dlsym(nil, "unshare"),
                unsafe unsafeBitCast(symbol, to: Unshare.self)(0x400) == 0
            else { fatalError("unshare") }
            for number in Int32(3)..<1024 where number != listener { close(number) }
            isSeparate.set()
            var entries = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            while true {
                guard unsafe poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
                for entry in entries where entry.revents != 0 {
                    if entry.fd == listener {
                        let accepted = accept(listener, nil, nil)
                        if accepted >= 0 { entries.append(pollfd(fd: accepted, events: Int16(POLLIN), revents: 0)) }
                    } else if !answer(entry.fd) {
                        close(entry.fd)
                        entries.removeAll { $0.fd == entry.fd }
                    }
                }
            }
        }

        /// Reads a request, which arrives in one piece in these tests, and answers it.
        private func answer(_ connection: Int32) -> Bool {
            var request = [UInt8](repeating: 0, count: 4096)
            let count = unsafe recv(connection, &request, request.count, 0)
            guard count > 0 else { return false }
            let text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            let sent = unsafe Array(text.utf8).withUnsafeBytes {
                unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            return sent > 0
        }
    }
}
