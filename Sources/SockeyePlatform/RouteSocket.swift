import CSockeyeSystem
import Glibc

/// A netlink socket of the kernel's routing family (netlink(7), rtnetlink(7)), non-blocking and close-on-exec.
///
/// A socket belongs to the network namespace of the thread that opens it, on whatever thread it is used.
package enum RouteSocket {
    /// Opens a socket; returns a negative number on failure, with the error in ``SystemError/last``.
    ///
    /// - Parameter listens: True to receive a message for every change of links, addresses, routes and rules.
    package static func open(listening listens: Bool) -> Int32 {
        let type = Int32(SOCK_RAW.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let number = DescriptorReserve.admit(socket(AF_NETLINK, type, 0), for: .socket)
        guard number >= 0, listens else { return number }
        // struct sockaddr_nl: the family, two bytes of padding, our port id (0: the kernel chooses), the groups.
        let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x80 | 0x100 | 0x400 | 0x40000
        let address = (UInt16(AF_NETLINK), UInt16(0), UInt32(0), groups)
        let result = unsafe withUnsafeBytes(of: address) { bytes in
            unsafe bind(number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard result == 0 else {
            let error = errno
            Glibc.close(number)
            errno = error
            return -1
        }
        return number
    }

    /// The result of reading change messages.
    package enum ChangeResult: Sendable, Hashable {
        /// A message was read, or the kernel dropped some (ENOBUFS), which also means a change.
        case change
        case nothing
        case failed(SystemError)
    }

    /// Reads and discards pending messages, at most `limit` datagrams. Their contents do not matter: callers query the
    /// current state.
    package static func readChanges(_ number: Int32, atMost limit: Int = 256) -> ChangeResult {
        var byte: UInt8 = 0
        var hasNews = false
        for _ in 0..<limit {
            // The kernel drops the rest of a datagram that does not fit.
            let (count, isOfKernel) = unsafe withUnsafeMutableBytes(of: &byte) { unsafe receive(number, $0) }
            if count >= 0 {
                if isOfKernel { hasNews = true }
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: return hasNews ? .change : .nothing
            case ENOBUFS: hasNews = true
            default: return .failed(.last)
            }
        }
        return .change
    }

    /// Receives a datagram; `isOfKernel` is true if its sender is the kernel, which has port id 0 (netlink(7)). Other
    /// processes with the right to may send to the socket too.
    private static func receive(_ number: Int32, _ room: UnsafeMutableRawBufferPointer) -> (
        count: Int, isOfKernel: Bool
    ) {
        // struct sockaddr_nl, as above.
        var sender = (family: UInt16(0), padding: UInt16(0), number: UInt32.max, groups: UInt32(0))
        var length = socklen_t(MemoryLayout.size(ofValue: sender))
        let count = unsafe withUnsafeMutableBytes(of: &sender) { bytes in
            let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return unsafe recvfrom(number, room.baseAddress, room.count, 0, address, &length)
        }
        return (count, sender.number == 0)
    }

    /// Sends a query and returns the kernel's answer, which is available as soon as `send` returns.
    package static func query(_ number: Int32, _ question: [UInt8], sequence: UInt32) -> RouteMessage.Answer? {
        guard unsafe question.withUnsafeBytes({ unsafe send(number, $0.baseAddress, $0.count, 0) }) >= 0 else {
            return .refused(.last)
        }
        var datagram = [UInt8](repeating: 0, count: 16 << 10)
        // Skips unread answers to earlier queries.
        for _ in 0..<16 {
            let (count, isOfKernel) = unsafe datagram.withUnsafeMutableBytes { unsafe receive(number, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            guard isOfKernel else { continue }
            if let answer = RouteMessage.answer(to: sequence, in: Array(datagram[..<count])) { return answer }
        }
        return nil
    }
}
