/// Addresses that wait for their turn: in the given order within a family, the families in turns (RFC 8305 4).
struct AddressQueue: Sendable {
    private var ipv6: ArraySlice<SocketAddress> = []
    private var others: ArraySlice<SocketAddress> = []
    /// Whose turn it is.
    private var isIPv6Next: Bool?

    var isEmpty: Bool { ipv6.isEmpty && others.isEmpty }
    var isIPv4Only: Bool { ipv6.isEmpty && others.allSatisfy { $0.family == .ipv4 } }

    mutating func append(_ addresses: [SocketAddress]) {
        for address in addresses {
            if isIPv6Next == nil { isIPv6Next = address.family == .ipv6 }
            if address.family == .ipv6 { ipv6.append(address) } else { others.append(address) }
        }
    }

    /// Prefers IPv6 where the answers of the two queries came in no order that means anything.
    mutating func startsWithIPv6() {
        isIPv6Next = true
    }

    mutating func popFirst() -> SocketAddress? {
        let takesIPv6 = others.isEmpty || isIPv6Next == true && !ipv6.isEmpty
        isIPv6Next = !takesIPv6
        return takesIPv6 ? ipv6.popFirst() : others.popFirst()
    }
}
