/// The rtnetlink(7) messages about routes and interfaces, as bytes in native byte order.
///
/// A builder and parser without I/O. A datagram is a list of messages, each with a header, a structure and attributes.
/// Every length is checked before the bytes are read.
package enum RouteMessage {
    /// The kernel's answer to a query.
    package enum Answer: Sendable, Hashable {
        case route(Route)
        case link(Link)
        /// No route or interface, with the reason, such as `networkUnreachable`.
        case refused(SystemError)
    }

    /// The route to an address.
    package struct Route: Sendable, Hashable {
        /// The outgoing interface; 0 if the kernel named none.
        package var interface: UInt32
        /// True if the kernel forwards or delivers packets to the address. False for black holes, routes that reject
        /// packets, and links that are down.
        package var isUsable: Bool

        package init(interface: UInt32, isUsable: Bool) {
            self.interface = interface
            self.isUsable = isUsable
        }
    }

    /// A network interface.
    package struct Link: Sendable, Hashable {
        package var name: String
        /// The hardware type (ARPHRD_ETHER is 1).
        package var hardware: UInt16
        /// True if the interface is up and has a carrier.
        package var isRunning: Bool

        package init(name: String, hardware: UInt16, isRunning: Bool) {
            self.name = name
            self.hardware = hardware
            self.isRunning = isRunning
        }
    }

    private enum Kind {
        static let error: UInt16 = 2
        static let newLink: UInt16 = 16
        static let getLink: UInt16 = 18
        static let newRoute: UInt16 = 24
        static let getRoute: UInt16 = 26
    }

    private enum Attribute {
        /// RTA_DST.
        static let destination: UInt16 = 1
        /// RTA_OIF, the index of the outgoing interface.
        static let outgoingInterface: UInt16 = 4
        /// IFLA_IFNAME.
        static let interfaceName: UInt16 = 3
    }

    /// The size of struct nlmsghdr.
    private static let headerCount = 16

    // MARK: Queries

    /// Builds the query for the route to an address (RTM_GETROUTE). Nil for a unix-domain address.
    package static func route(to address: SystemAddress, sequence: UInt32) -> [UInt8]? {
        var message = Writer()
        switch address {
        case .ipv4(let bits, _):
            message.header(of: route(family: 2, prefix: 32), Kind.getRoute, sequence)
            message.attribute(Attribute.destination, bytes(of: bits))
        case .ipv6(let high, let low, _, let scope):
            message.header(of: route(family: 10, prefix: 128), Kind.getRoute, sequence)
            message.attribute(Attribute.destination, bytes(of: high) + bytes(of: low))
            if scope != 0 { message.attribute(Attribute.outgoingInterface, bytes(of: scope)) }
        case .unix: return nil
        }
        return message.finish()
    }

    /// Builds the query for an interface (RTM_GETLINK).
    package static func link(_ index: UInt32, sequence: UInt32) -> [UInt8] {
        var message = Writer()
        message.header(of: [0, 0, 0, 0] + bytes(of: index) + [UInt8](repeating: 0, count: 8), Kind.getLink, sequence)
        return message.finish()
    }

    /// Builds a struct rtmsg; family 2 is AF_INET, 10 is AF_INET6.
    private static func route(family: UInt8, prefix: UInt8) -> [UInt8] {
        [family, prefix] + [UInt8](repeating: 0, count: 10)
    }

    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
    }

    // MARK: Answers

    /// Finds the answer to query number `sequence` in a datagram; nil if it is missing or malformed.
    package static func answer(to sequence: UInt32, in datagram: [UInt8]) -> Answer? {
        var start = 0
        while let count = number(UInt32.self, datagram, at: start), count >= headerCount,
            start + Int(count) <= datagram.count
        {
            let body = datagram[start + headerCount..<start + Int(count)]
            if number(UInt32.self, datagram, at: start + 8) == sequence,
                let kind = number(UInt16.self, datagram, at: start + 4),
                let answer = answer(kind, Array(body))
            {
                return answer
            }
            start += aligned(Int(count))
        }
        return nil
    }

    private static func answer(_ kind: UInt16, _ body: [UInt8]) -> Answer? {
        switch kind {
        case Kind.error:
            guard let code = number(Int32.self, body, at: 0), code < 0, code > Int32.min else { return nil }
            return .refused(SystemError(-code))
        case Kind.newRoute: return parseRoute(body).map(Answer.route)
        case Kind.newLink: return parseLink(body).map(Answer.link)
        default: return nil
        }
    }

    private static func parseRoute(_ body: [UInt8]) -> Route? {
        guard let flags = number(UInt32.self, body, at: 8) else { return nil }
        // RTN_UNICAST to RTN_MULTICAST; the next types are blackhole, unreachable, prohibit and throw.
        let hasDestination = (1...5).contains(body[7])
        // RTNH_F_DEAD and RTNH_F_LINKDOWN.
        var route = Route(interface: 0, isUsable: hasDestination && flags & 17 == 0)
        attributes(body, from: 12) { kind, value in
            if kind == Attribute.outgoingInterface {
                route.interface = number(UInt32.self, body, at: value.lowerBound) ?? 0
            }
        }
        return route
    }

    private static func parseLink(_ body: [UInt8]) -> Link? {
        guard let hardware = number(UInt16.self, body, at: 2), let flags = number(UInt32.self, body, at: 8) else {
            return nil
        }
        // IFF_UP and IFF_LOWER_UP.
        var link = Link(name: "", hardware: hardware, isRunning: flags & 1 != 0 && flags & 0x10000 != 0)
        attributes(body, from: 16) { kind, value in
            if kind == Attribute.interfaceName {
                link.name = String(decoding: body[value].prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        return link
    }

    private static func attributes(_ body: [UInt8], from start: Int, _ take: (UInt16, Range<Int>) -> Void) {
        var start = start
        while let count = number(UInt16.self, body, at: start), count >= 4, start + Int(count) <= body.count,
            let kind = number(UInt16.self, body, at: start + 2)
        {
            take(kind, start + 4..<start + Int(count))
            start += aligned(Int(count))
        }
    }

    private static func number<Number: FixedWidthInteger>(_: Number.Type, _ bytes: [UInt8], at start: Int) -> Number? {
        guard start >= 0, bytes.count - start >= MemoryLayout<Number>.size else { return nil }
        return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: start, as: Number.self) }
    }

    private static func aligned(_ count: Int) -> Int { (count + 3) & ~3 }

    /// A growing message; `finish` writes its length.
    private struct Writer {
        private var bytes: [UInt8] = []

        mutating func header(of structure: [UInt8], _ kind: UInt16, _ sequence: UInt32) {
            // NLM_F_REQUEST; the kernel fills in the sender's port id.
            bytes = RouteMessage.bytes(of: UInt32(0)) + RouteMessage.bytes(of: kind) + RouteMessage.bytes(of: UInt16(1))
            bytes += RouteMessage.bytes(of: sequence) + RouteMessage.bytes(of: UInt32(0)) + structure
        }

        mutating func attribute(_ kind: UInt16, _ value: [UInt8]) {
            bytes += RouteMessage.bytes(of: UInt16(4 + value.count)) + RouteMessage.bytes(of: kind) + value
            bytes += [UInt8](repeating: 0, count: RouteMessage.aligned(bytes.count) - bytes.count)
        }

        mutating func finish() -> [UInt8] {
            bytes.replaceSubrange(0..<4, with: RouteMessage.bytes(of: UInt32(bytes.count)))
            return bytes
        }
    }
}
