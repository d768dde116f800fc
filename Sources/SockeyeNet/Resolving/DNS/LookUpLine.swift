#if AsyncDNS
/// The admission queue of a ``DNSClient``: a limited number of look-ups under way, and a queue of those that wait for a
/// place. A value without I/O.
///
/// States of a look-up: `join` → in line → `next` → under way → `finish` → gone, or under way → `repeat` → in line. A
/// waiter that leaves the line is removed. If a waiter leaves while its look-up is under way, the place stays taken,
/// since c-ares cannot cancel a single query.
struct LookUpLine<Waiter> {
    private struct Place {
        let host: String
        /// Nil after the waiter has left.
        var waiter: Waiter?
        var isUnderWay = false
        var repeats = 0
    }

    /// The limit of look-ups under way. Their datagrams, two for each name, fit into a socket buffer, and their 16-bit
    /// ids stay hard to guess. It suffices for 2,500 names a second if servers take 0.1 s each.
    static var mostUnderWay: Int { 250 }
    /// The limit of queued look-ups, which take only memory.
    static var mostInLine: Int { 65_536 }
    /// The number of times that a look-up is repeated because the server closed the connection before it answered.
    static var mostRepeats: Int { 16 }
    /// The limit of look-ups under way after such an interruption. Even a server that closes connections after one or a
    /// few answers then answers all of them before the first reaches ``mostRepeats``.
    static var mostAfterInterruption: Int { 8 }
    /// Larger tables than this are released when the queue is empty.
    private static var keptCapacity: Int { 1_024 }

    private var places: [UInt64: Place] = [:]
    private var ticketsUnderWay: Set<UInt64> = []
    /// The current limit of look-ups under way: lower after an interruption, and one more with each look-up that ends.
    private var limit = mostUnderWay
    /// Look-ups to repeat; they precede the line.
    private var interrupted: [UInt64] = []
    /// The line, from `head` on. It may contain tickets of waiters that have left.
    private var line: [UInt64] = []
    private var head = 0
    private var lastTicket: UInt64 = 0
    private(set) var abandoned = 0

    var underWay: Int { ticketsUnderWay.count }
    /// True if no look-up has a waiter.
    var isDeserted: Bool { places.count == abandoned }
    /// True if no look-up is in line or under way, not even an abandoned one.
    var isEmpty: Bool { places.isEmpty }
    private var inLine: Int { places.count - underWay }

    mutating func join(_ host: String, _ waiter: Waiter) throws(ResolveError) -> UInt64 {
        guard inLine < Self.mostInLine else { throw .overloaded(limit: Self.mostInLine) }
        lastTicket += 1
        places[lastTicket] = Place(host: host, waiter: waiter)
        line.append(lastTicket)
        return lastTicket
    }

    /// Takes the next look-up to begin; nil if the line is empty or all places are taken.
    mutating func next() -> (ticket: UInt64, host: String, waiter: Waiter)? {
        guard underWay < limit else { return nil }
        while !interrupted.isEmpty || head < line.count {
            let ticket: UInt64
            if interrupted.isEmpty {
                ticket = line[head]
                head += 1
            } else {
                ticket = interrupted.removeFirst()
            }
            guard let place = places[ticket], let waiter = place.waiter else { continue }
            places[ticket]?.isUnderWay = true
            ticketsUnderWay.insert(ticket)
            compact()
            return (ticket, place.host, waiter)
        }
        compact()
        return nil
    }

    /// Ends a look-up and returns its waiter; nil if the waiter has left.
    mutating func finish(_ ticket: UInt64) -> Waiter? {
        guard let place = places.removeValue(forKey: ticket) else { return nil }
        ticketsUnderWay.remove(ticket)
        limit = min(Self.mostUnderWay, limit + 1)
        if place.waiter == nil { abandoned -= 1 }
        releaseMemoryIfEmpty()
        return place.waiter
    }

    /// Puts an interrupted look-up before the line. False if it was repeated too often or has no waiter.
    mutating func `repeat`(_ ticket: UInt64) -> Bool {
        guard let place = places[ticket], place.isUnderWay, place.waiter != nil, place.repeats < Self.mostRepeats else {
            return false
        }
        places[ticket]?.isUnderWay = false
        places[ticket]?.repeats += 1
        ticketsUnderWay.remove(ticket)
        limit = Self.mostAfterInterruption
        // In order of arrival, so that the same few are repeated until they are answered.
        interrupted.insert(ticket, at: interrupted.firstIndex { $0 > ticket } ?? interrupted.endIndex)
        return true
    }

    /// Removes the waiter of a look-up.
    mutating func leave(_ ticket: UInt64) {
        guard let place = places[ticket], place.waiter != nil else { return }
        if place.isUnderWay {
            places[ticket]?.waiter = nil
            abandoned += 1
        } else {
            places[ticket] = nil
            compact()
            releaseMemoryIfEmpty()
        }
    }

    /// Abandons the look-ups under way for which `isDeserted` returns true, and returns their waiters. Does so only if
    /// look-ups in line lack places and half of all places would become free.
    mutating func leaveDeserted(_ isDeserted: (Waiter) -> Bool) -> [Waiter] {
        guard underWay >= limit, inLine > 0 else { return [] }
        let deserted = ticketsUnderWay.compactMap { ticket in
            places[ticket]?.waiter.flatMap { isDeserted($0) ? (ticket, $0) : nil }
        }
        guard abandoned + deserted.count >= limit / 2 else { return [] }
        for (ticket, _) in deserted { leave(ticket) }
        return deserted.map(\.1)
    }

    /// True if abandoned look-ups take half of the places or more: then the channel should be reopened.
    var isClogged: Bool { abandoned >= limit / 2 }

    /// Puts the look-ups under way back to the front of the line, and removes abandoned ones.
    mutating func restart() {
        var again: [UInt64] = []
        for ticket in ticketsUnderWay {
            if places[ticket]?.waiter == nil {
                places[ticket] = nil
            } else {
                places[ticket]?.isUnderWay = false
                again.append(ticket)
            }
        }
        ticketsUnderWay = []
        abandoned = 0
        line = again.sorted() + line[head...]
        head = 0
    }

    /// Ends all look-ups and returns their waiters.
    mutating func takeAll() -> [Waiter] {
        let waiters = places.values.compactMap(\.waiter)
        self = LookUpLine(lastTicket: lastTicket)
        return waiters
    }

    init() {}

    private init(lastTicket: UInt64) {
        self.lastTicket = lastTicket
    }

    private mutating func releaseMemoryIfEmpty() {
        guard places.isEmpty, places.capacity > Self.keptCapacity else { return }
        self = LookUpLine(lastTicket: lastTicket)
    }

    /// Removes tickets of finished look-ups from the array when they outnumber those in line.
    private mutating func compact() {
        guard line.count > 2 * inLine + 64 else { return }
        line = line[head...].filter { places[$0] != nil }
        head = 0
    }
}
#endif
