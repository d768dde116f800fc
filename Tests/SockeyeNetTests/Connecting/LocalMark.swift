import SockeyeNet
import SockeyePlatform
import Synchronization

/// An address of 127.0.0.0/8 that one test alone connects from, so that it can find its own sockets, connecting ones
/// included, among those of the tests that run at the same time.
struct LocalMark {
    private static let counter = Atomic<UInt32>(0)
    private let address: EndpointAddress

    init() {
        let number = Self.counter.add(1, ordering: .relaxed).newValue
        address = EndpointAddress(literal: "127.77.\(number >> 8 & 255).\(number & 255)", port: 0)!
    }

    /// Options that make sockets bear the mark.
    var options: SocketOptions {
        var options = SocketOptions()
        options.localAddress = address
        return options
    }

    /// How many open sockets of this process bear the mark. Reading descriptor numbers that others close or open
    /// meanwhile does no harm: none of theirs bears it.
    var openSockets: Int {
        (0..<Int32(4_096)).count { descriptor in
            SystemSocket.localAddress(descriptor).map { EndpointAddress($0).with(port: 0) } == address
        }
    }
}
