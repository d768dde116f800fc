import Glibc
import SockeyePlatform
import SockeyeTestSupport
import Testing

@Suite("A netlink socket of routes", .needs(.routes), .timeLimit(.minutes(1)))
struct RouteSocketTests {
    /// struct sockaddr_nl.
    private struct NetlinkAddress {
        var family = UInt16(AF_NETLINK)
        var padding: UInt16 = 0
        var number: UInt32 = 0
        var groups: UInt32 = 0
    }

    /// Binds the socket if necessary and returns its netlink port number.
    private func bound(_ socket: Int32) -> UInt32 {
        var address = NetlinkAddress()
        var length = socklen_t(MemoryLayout<NetlinkAddress>.size)
        unsafe withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = unsafe bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
            _ = unsafe getsockname(socket, pointer, &length)
            if unsafe pointer.withMemoryRebound(to: NetlinkAddress.self, capacity: 1, { unsafe $0.pointee.number == 0 })
            {
                _ = unsafe bind(socket, pointer, length)
                _ = unsafe getsockname(socket, pointer, &length)
            }
        }
        return address.number
    }

    /// Sends a message from one socket to another; false without the permission (CAP_NET_ADMIN).
    private func send(_ message: [UInt8], from sender: Int32, to number: UInt32) -> Bool {
        var address = NetlinkAddress(number: number)
        return unsafe withUnsafeBytes(of: &address) { bytes in
            let pointer = unsafe bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
            return unsafe sendto(sender, message, message.count, 0, pointer, socklen_t(bytes.count)) == message.count
        }
    }

    /// A refusal (NLMSG_ERROR, ENETUNREACH) of the request with this number.
    private func refusal(of sequence: UInt32) -> [UInt8] {
        let words: [UInt32] = [36, 2, sequence, 0, UInt32(bitPattern: -101), 0, 0, 0, 0]
        return words.flatMap { word in unsafe withUnsafeBytes(of: word) { unsafe Array($0) } }
    }

    @Test("the socket accepts messages only from the kernel")
    func senders() throws {
        let (listener, asker) = (RouteSocket.open(listening: true), RouteSocket.open(listening: false))
        let other = RouteSocket.open(listening: false)
        defer { for socket in [listener, asker, other] { close(socket) } }
        try #require(listener >= 0 && asker >= 0 && other >= 0)
        _ = bound(other)
        // Only root may send to another netlink socket, even to one of the same process.
        guard send(refusal(of: 1), from: other, to: bound(listener)) else { return }
        #expect(RouteSocket.readChanges(listener) == .nothing)
        #expect(send(refusal(of: 7), from: other, to: bound(asker)))
        let question = try #require(RouteMessage.route(to: .ipv4(UInt32(0x7F00_0001).bigEndian, port: 0), sequence: 7))
        guard case .route(let route)? = RouteSocket.query(asker, question, sequence: 7) else {
            Issue.record("another socket's refusal was taken for the kernel's answer")
            return
        }
        #expect(route.isUsable)
    }

    @Test("a call reads a limited number of messages, and the next call reads the rest")
    func limits() throws {
        let (listener, asker) = (RouteSocket.open(listening: true), RouteSocket.open(listening: false))
        let stranger = RouteSocket.open(listening: false)
        defer { for socket in [listener, asker, stranger] { close(socket) } }
        try #require(listener >= 0 && asker >= 0 && stranger >= 0)
        _ = bound(stranger)
        for _ in 0..<20 {
            // Only root may send to another netlink socket, even to one of the same process.
            guard send(refusal(of: 1), from: stranger, to: bound(listener)) else { return }
            #expect(send(refusal(of: 1), from: stranger, to: bound(asker)))
        }
        // The unread messages may hold a change, so the call reports one.
        #expect(RouteSocket.readChanges(listener, atMost: 19) == .change)
        #expect(RouteSocket.readChanges(listener, atMost: 19) == .nothing)
        let question = try #require(RouteMessage.route(to: .ipv4(UInt32(0x7F00_0001).bigEndian, port: 0), sequence: 7))
        #expect(RouteSocket.query(asker, question, sequence: 7) == nil)
        guard case .route? = RouteSocket.query(asker, question, sequence: 7) else {
            Issue.record("no answer behind the unread messages")
            return
        }
    }
}
