/// Queries the kernel's routing table for the kind of interface through which packets to an address leave.
///
/// Without ``SystemFeature/routes`` the route socket cannot be opened.
package struct RouteSource: ~Copyable, Sendable {
    private let socket: Int32
    private var sequence: UInt32 = 0

    /// - Parameter socket: A socket of ``RouteSocket`` that receives no messages about changes; not closed here.
    package init(asking socket: Int32) {
        self.socket = socket
    }

    /// Returns the kind of interface; nil if there is no usable route, the link is down, or the query for the route
    /// fails. Returns `other` if the kernel names no interface or does not describe it.
    package mutating func interface(to address: SystemAddress) -> InterfaceClass? {
        guard case .route(let route)? = ask({ RouteMessage.route(to: address, sequence: $0) }), route.isUsable else {
            return nil
        }
        guard route.interface != 0 else { return .other }
        guard case .link(let link)? = ask({ RouteMessage.link(route.interface, sequence: $0) }) else { return .other }
        return link.isRunning ? InterfaceClass(link) : nil
    }

    private mutating func ask(_ makeQuestion: (UInt32) -> [UInt8]?) -> RouteMessage.Answer? {
        sequence &+= 1
        guard let question = makeQuestion(sequence) else { return nil }
        return RouteSocket.query(socket, question, sequence: sequence)
    }
}
