import SockeyeCore
package import SockeyePlatform
import Synchronization

/// A monitor of the kernel's routing (rtnetlink(7)): reports changes, and the interface that packets to an address take
/// now.
///
/// It polls nothing: the kernel reports changes of links, addresses, routes and rules. It belongs to the network
/// namespace of the thread that creates it. Only one task may wait for changes at a time.
package final class RouteMonitor: Sendable {
    private let changeSocket: Socket
    private let point: WaitPoint
    private let questions: Mutex<Questions>

    private struct Questions: ~Copyable {
        let socket: Socket
        var sequence: UInt32 = 0

        mutating func ask(_ makeQuestion: (UInt32) -> [UInt8]?) -> RouteMessage.Answer? {
            sequence &+= 1
            guard let question = makeQuestion(sequence) else { return nil }
            return RouteSocket.query(socket.number, question, sequence: sequence)
        }
    }

    /// - Throws: ``TransportError`` if the system has no netlink or forbids it.
    package init(poller: any Poller) throws(TransportError) {
        changeSocket = try Self.open(listening: true)
        questions = Mutex(Questions(socket: try Self.open(listening: false)))
        point = try poller.makeWaitPoint(descriptor: changeSocket.number)
    }

    private static func open(listening: Bool) throws(TransportError) -> Socket {
        let number = RouteSocket.open(listening: listening)
        guard number >= 0 else { throw .failed(.socket) }
        return Socket(adopting: number)
    }

    deinit {
        close()
    }

    /// Ends a pending wait. The wait point is closed first, so that no event can reach the next user of the
    /// descriptor's number.
    package func close() {
        point.close()
        changeSocket.close()
    }

    /// Waits until anything has changed since the last call, or since the monitor was created. Changes that arrive
    /// together count as one.
    package func nextChange() async throws(TransportError) {
        while true {
            // Readiness is edge-triggered, so all pending messages are read before a wait.
            switch changeSocket.whileOpen({ RouteSocket.readChanges($0) }) {
            case .change: return
            case .failed(let error): throw .failed(.recv, error)
            case nil: throw .closed
            case .nothing: break
            }
            try await point.wait(for: .read, as: .reader, until: .distantFuture).check()
        }
    }

    /// Returns the kind of interface through which packets to `address` leave; nil if there is no route or the link is
    /// down.
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
