#if DiskCache
/// Which responses that are being written may still become visible. A ticket is good until it is ended, or its key is
/// revoked: what is on its way may be older than the change that made somebody remove the key (RFC 9111 4.4).
struct WriteTickets {
    struct Ticket: Hashable, Sendable {
        let key: String
        fileprivate let number: Int
    }

    private var valid: [String: Set<Int>] = [:]
    private var last = 0

    /// How many are good.
    var count: Int { valid.values.reduce(0) { $0 + $1.count } }

    mutating func begin(_ key: String) -> Ticket {
        last += 1
        valid[key, default: []].insert(last)
        return Ticket(key: key, number: last)
    }

    func isValid(_ ticket: Ticket) -> Bool { valid[ticket.key]?.contains(ticket.number) == true }

    /// - Returns: Whether it was good until now.
    @discardableResult
    mutating func end(_ ticket: Ticket) -> Bool {
        guard valid[ticket.key]?.remove(ticket.number) != nil else { return false }
        if valid[ticket.key]?.isEmpty == true { valid[ticket.key] = nil }
        return true
    }

    mutating func revoke(_ key: String) { valid[key] = nil }

    mutating func revokeAll() { valid = [:] }
}
#endif
