extension EndpointAddress {
    /// In which order the addresses of one name are tried, by one connection after the other.
    ///
    /// Addresses change places within their family only. Which family comes first, and where they alternate, stays as the resolver
    /// has it, by RFC 6724 for the system's: that knows whether this machine has a way to it.
    @nonexhaustive public enum Order: Sendable, Hashable {
        /// As the resolver gave them: all connections go to the first one that answers.
        case asResolved
        /// Each connection starts with the next address, so that they spread over all of them evenly. Counted anew when a name is
        /// looked up again.
        case rotated
        /// Anew at random for each connection: so that also many clients that make one connection each spread over all addresses.
        case shuffled

        /// The order for the connection number `turn`.
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
