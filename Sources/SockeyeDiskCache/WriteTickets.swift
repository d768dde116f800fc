#if DiskCache
/// The tickets of responses that are being written. A response becomes visible only if its ticket is still valid.
///
/// A ticket is valid until it is ended or its key is revoked. A key is revoked when its responses are removed, for
/// example after an unsafe request (RFC 9111 4.4). A response that is being written at that time may be older than the
/// change that the request made.
struct WriteTickets {
    struct Ticket: Hashable, Sendable {
        let key: String
        fileprivate let number: Int
    }

    private var valid: [String: Set<Int>] = [:]
    private var last = 0

    /// The number of valid tickets.
    var count: Int { valid.values.reduce(0) { $0 + $1.count } }

    mutating func begin(_ key: String) -> Ticket {
        last += 1
        valid[key, default: []].insert(last)
        return Ticket(key: key, number: last)
    }

    func isValid(_ ticket: Ticket) -> Bool { valid[ticket.key]?.contains(ticket.number) == true }

    /// - Returns: True if the ticket was valid until now.
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
