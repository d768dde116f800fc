#if AsyncDNS
/// The admission queue of a ``DNSClient``: look-ups under way, of which there are so many at most, and a line of those that wait
/// for one of these places. A value without I/O.
///
/// States of a look-up: `join` → in line → `next` → under way → `finish` → gone, or under way → `repeat` → in line. A waiter
/// that leaves the line is removed. The place of one that leaves while its look-up is under way stays taken, since c-ares
/// cannot give up a single question.
struct LookUpLine<Waiter> {
    private struct Place {
        let host: String
        /// Nil once it was left.
        var waiter: Waiter?
        var isUnderWay = false
        var repeats = 0
    }

    /// Few enough that all their datagrams fit into the buffer of a socket, two to a name, and for numbers of 16 bits to stay hard
    /// to guess; enough for 2,500 names a second where servers take a tenth of one.
    static var mostUnderWay: Int { 250 }
    /// Memory is all that a look-up in line takes.
    static var mostInLine: Int { 65_536 }
    /// How often a look-up is asked for again whose server closed the connection before it answered.
    static var mostRepeats: Int { 16 }
    /// How many are under way after that. A server that closes connections after a few answers, or after one, has answered all
    /// of them before the first was repeated too often.
    static var mostAfterInterruption: Int { 8 }
    /// Tables that were larger than this are given back when nothing is left.
    private static var keptCapacity: Int { 1_024 }

    private var places: [UInt64: Place] = [:]
    private var ticketsUnderWay: Set<UInt64> = []
    /// How many may be under way at present: fewer after an interruption, and one more with each look-up that ends.
    private var limit = mostUnderWay
    /// Look-ups to repeat, which go before the line.
    private var interrupted: [UInt64] = []
    /// The line, from `head` on; some may have left it.
    private var line: [UInt64] = []
    private var head = 0
    private var lastTicket: UInt64 = 0
    private(set) var abandoned = 0

    var underWay: Int { ticketsUnderWay.count }
    /// No look-up has a waiter.
    var isDeserted: Bool { places.count == abandoned }
    /// No look-up is in line or under way, not even an abandoned one.
    var isEmpty: Bool { places.isEmpty }
    private var inLine: Int { places.count - underWay }

    mutating func join(_ host: String, _ waiter: Waiter) throws(ResolveError) -> UInt64 {
        guard inLine < Self.mostInLine else { throw .overloaded(limit: Self.mostInLine) }
        lastTicket += 1
        places[lastTicket] = Place(host: host, waiter: waiter)
        line.append(lastTicket)
        return lastTicket
    }

    /// The next look-up to begin; nil if none is in line or all places are taken.
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

    /// Ends a look-up; nil if it has no waiter any more.
    mutating func finish(_ ticket: UInt64) -> Waiter? {
        guard let place = places.removeValue(forKey: ticket) else { return nil }
        ticketsUnderWay.remove(ticket)
        limit = min(Self.mostUnderWay, limit + 1)
        if place.waiter == nil { abandoned -= 1 }
        releaseMemoryIfEmpty()
        return place.waiter
    }

    /// Puts a look-up whose server closed the connection before the line. False if it was repeated too often or has no waiter.
    mutating func `repeat`(_ ticket: UInt64) -> Bool {
        guard let place = places[ticket], place.isUnderWay, place.waiter != nil, place.repeats < Self.mostRepeats else {
            return false
        }
        places[ticket]?.isUnderWay = false
        places[ticket]?.repeats += 1
        ticketsUnderWay.remove(ticket)
        limit = Self.mostAfterInterruption
        // In order of arrival, so that the same few are asked for again until they are answered.
        interrupted.insert(ticket, at: interrupted.firstIndex { $0 > ticket } ?? interrupted.endIndex)
        return true
    }

    /// The waiter of a look-up has left.
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

    /// Abandons the look-ups under way that `isDeserted` names, if look-ups in line lack places and half of all places would
    /// become free. Returns their waiters.
    mutating func leaveDeserted(_ isDeserted: (Waiter) -> Bool) -> [Waiter] {
        guard underWay >= limit, inLine > 0 else { return [] }
        let deserted = ticketsUnderWay.compactMap { ticket in
            places[ticket]?.waiter.flatMap { isDeserted($0) ? (ticket, $0) : nil }
        }
        guard abandoned + deserted.count >= limit / 2 else { return [] }
        for (ticket, _) in deserted { leave(ticket) }
        return deserted.map(\.1)
    }

    /// Whether abandoned look-ups take so many places that all should begin anew.
    var isClogged: Bool { abandoned >= limit / 2 }

    /// Puts the look-ups under way back to the front of the line, and drops abandoned ones.
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

    /// Ends all look-ups.
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

    /// Keeps the line in proportion to the look-ups in it.
    private mutating func compact() {
        guard line.count > 2 * inLine + 64 else { return }
        line = line[head...].filter { places[$0] != nil }
        head = 0
    }
}
#endif
