import SockeyeNet
import SockeyePlatform
import Synchronization

/// An address of 127.0.0.0/8 from which only one test connects. By this address the test finds its own sockets, even
/// connecting ones, among the sockets of concurrent tests.
struct LocalMark {
    private static let counter = Atomic<UInt32>(0)
    private let address: EndpointAddress

    init() {
        let number = Self.counter.add(1, ordering: .relaxed).newValue
        address = EndpointAddress(literal: "127.77.\(number >> 8 & 255).\(number & 255)", port: 0)!
    }

    /// Socket options that bind to the mark's address.
    var options: SocketOptions {
        var options = SocketOptions()
        options.localAddress = address
        return options
    }

    /// The number of open sockets of this process with this mark. Other threads may open or close descriptors
    /// meanwhile, but none of those has the mark.
    var openSockets: Int {
        (0..<Int32(4_096)).count { descriptor in
            SystemSocket.localAddress(descriptor).flatMap { EndpointAddress($0).with(port: 0) } == address
        }
    }
}
