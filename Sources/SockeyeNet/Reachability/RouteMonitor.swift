import SockeyeCore
package import SockeyePlatform
import Synchronization

/// A watch on the kernel's routing (rtnetlink(7)): tells that something has changed, and which way an address takes now.
///
/// It polls nothing: the kernel reports changes of links, addresses, routes and rules, and is then asked anew. It belongs to
/// the network namespace of the thread that makes it. One task waits for changes at a time.
package final class RouteMonitor: Sendable {
    private let news: Socket
    private let point: WaitPoint
    private let questions: Mutex<Questions>

    private struct Questions: ~Copyable {
        let socket: Socket
        var sequence: UInt32 = 0

        mutating func ask(_ makeQuestion: (UInt32) -> [UInt8]?) -> RouteMessage.Answer? {
            sequence &+= 1
            guard let question = makeQuestion(sequence) else { return nil }
            return RouteSocket.ask(socket.number, question, sequence: sequence)
        }
    }

    /// - Throws: ``TransportError`` where the system has no netlink, or does not allow it.
    package init(poller: any Poller) throws(TransportError) {
        news = try Self.open(listening: true)
        questions = Mutex(Questions(socket: try Self.open(listening: false)))
        point = try poller.makeWaitPoint(descriptor: news.number)
    }

    private static func open(listening: Bool) throws(TransportError) -> Socket {
        let number = RouteSocket.open(listening: listening)
        guard number >= 0 else { throw .failed(.socket) }
        return Socket(adopting: number)
    }

    deinit {
        close()
    }

    /// Ends a wait. The order matters: once the wait point is gone no event can reach whoever gets the number next.
    package func close() {
        point.close()
        news.close()
    }

    /// Waits until anything has changed since the last call, or since the monitor was made. Many changes at once are one.
    package func nextChange() async throws(TransportError) {
        while true {
            // Readiness comes by edges, so everything is taken before a wait.
            switch news.whileOpen({ RouteSocket.takeNews($0) }) {
            case .change: return
            case .failed(let error): throw .failed(.recv, error)
            case nil: throw .closed
            case .nothing: break
            }
            try await point.wait(for: .read, as: .reader, until: .distantFuture).check()
        }
    }

    /// What kind of interface packets to an address leave by; nil where they do not.
    package func interface(to address: EndpointAddress) -> InterfaceClass? {
        if address.family == .unix { return .loopback }
        let route = questions.withLock { $0.ask { RouteMessage.route(to: address.system, sequence: $0) } }
        guard case .route(let route)? = route, route.isUsable else { return nil }
        guard route.interface != 0 else { return .other }
        let link = questions.withLock { $0.ask { RouteMessage.link(route.interface, sequence: $0) } }
        guard case .link(let link)? = link else { return .other }
        return link.isRunning ? InterfaceClass(link) : nil
    }
}
