extension EndpointAddress {
    /// The order in which successive connections try the addresses of a name.
    ///
    /// Addresses change places only within their family. The resolver decides which family comes first and how families
    /// alternate, because it knows which of them have a route. The system's resolver follows RFC 6724.
    @nonexhaustive public enum Order: Sendable, Hashable {
        /// The resolver's order: all connections go to the first address that answers.
        case asResolved
        /// Each connection starts with the next address, so that connections spread evenly. The rotation starts over
        /// when the name is looked up again.
        case rotated
        /// A new random order for each connection. Unlike ``rotated``, this order spreads the load of many clients that
        /// make one connection each.
        case shuffled

        /// Returns the addresses in the order for connection number `turn`.
        func apply(to addresses: [EndpointAddress], turn: Int) -> [EndpointAddress] {
            guard self != .asResolved, addresses.count > 1 else { return addresses }
            var queues: [EndpointAddress.Family: ArraySlice<EndpointAddress>] = [:]
            for (family, members) in Dictionary(grouping: addresses, by: \.family) {
                let start = turn % members.count
                queues[family] = self == .shuffled ? members.shuffled()[...] : members[start...] + members[..<start]
            }
            return addresses.map { queues[$0.family]?.popFirst() ?? $0 }
        }
    }
}
