/// In which order the addresses of one name are tried by one connection after the other.
package enum AddressOrder: Sendable, Hashable {
    /// As the resolver gave them: all connections go to the first one that answers.
    case asResolved
    /// Each look-up starts with the next address, so that connections spread over all of them evenly.
    case rotated
    /// Anew at random for each look-up.
    case shuffled

    /// The order for the look-up number `turn`.
    ///
    /// Addresses change places within their family only: which family comes first is RFC 6724's choice, and knows
    /// whether this machine has a way to it.
    func apply(to addresses: [SocketAddress], turn: Int) -> [SocketAddress] {
        guard self != .asResolved, addresses.count > 1 else { return addresses }
        var queues: [SocketAddress.Family: ArraySlice<SocketAddress>] = [:]
        for (family, members) in Dictionary(grouping: addresses, by: \.family) {
            let start = turn % members.count
            queues[family] = self == .shuffled ? members.shuffled()[...] : members[start...] + members[..<start]
        }
        return addresses.map { queues[$0.family]?.popFirst() ?? $0 }
    }
}
