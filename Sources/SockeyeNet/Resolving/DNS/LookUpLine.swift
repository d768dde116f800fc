#if AsyncDNS
/// The admission queue of a ``DNSClient``: look-ups under way, of which there are so many at most, and a line of those that wait
/// for one of these places. A value without I/O.
///
/// States of a look-up: `join` → in line → `next` → under way → `finish` → gone. Who leaves the line is gone; who leaves while
/// the look-up is under way leaves its place taken, since c-ares cannot give up a single question.
struct LookUpLine<Waiter> {
    private struct Place {
        let host: String
        /// Nil once it was left.
        var waiter: Waiter?
        var isUnderWay = false
    }

    /// Few enough that all their datagrams fit into the buffer of a socket, two to a name, and for numbers of 16 bits to stay hard
    /// to guess; enough for 2,500 names a second where servers take a tenth of one.
    static var mostUnderWay: Int { 250 }
    /// Memory is all that a look-up in line takes.
    static var mostInLine: Int { 65_536 }

    private var places: [UInt64: Place] = [:]
    /// The line, from `head` on; some may have left it.
    private var line: [UInt64] = []
    private var head = 0
    private var lastTicket: UInt64 = 0
    private(set) var underWay = 0
    private(set) var abandoned = 0

    /// Nobody waits for anything.
    var isDeserted: Bool { places.count == abandoned }
    /// Nothing is under way that has been left, nor anything else.
    var isEmpty: Bool { places.isEmpty }
    private var inLine: Int { places.count - underWay }

    mutating func join(_ host: String, _ waiter: Waiter) throws(ResolveError) -> UInt64 {
        guard inLine < Self.mostInLine else { throw .overloaded(limit: Self.mostInLine) }
        lastTicket += 1
        places[lastTicket] = Place(host: host, waiter: waiter)
        line.append(lastTicket)
        return lastTicket
    }

    /// The next one to begin with; nil where none waits, or where there is no place.
    mutating func next() -> (ticket: UInt64, host: String)? {
        guard underWay < Self.mostUnderWay else { return nil }
        while head < line.count {
            let ticket = line[head]
            head += 1
            guard let host = places[ticket]?.host else { continue }
            places[ticket]?.isUnderWay = true
            underWay += 1
            compact()
            return (ticket, host)
        }
        compact()
        return nil
    }

    /// Ends a look-up; nil where nobody waits for it any more.
    mutating func finish(_ ticket: UInt64) -> Waiter? {
        guard let place = places.removeValue(forKey: ticket) else { return nil }
        underWay -= 1
        if place.waiter == nil { abandoned -= 1 }
        return place.waiter
    }

    /// Takes note that nobody waits for a look-up any more.
    mutating func leave(_ ticket: UInt64) {
        guard let place = places[ticket], place.waiter != nil else { return }
        if place.isUnderWay {
            places[ticket]?.waiter = nil
            abandoned += 1
        } else {
            places[ticket] = nil
            compact()
        }
    }

    /// Whether so many places are taken by what nobody waits for that all should begin anew.
    var isClogged: Bool { abandoned >= Self.mostUnderWay / 2 }

    /// Puts what is under way back to the front of the line, and drops what nobody waits for.
    mutating func restart() {
        var again: [UInt64] = []
        for (ticket, place) in places where place.isUnderWay {
            if place.waiter == nil {
                places[ticket] = nil
            } else {
                places[ticket]?.isUnderWay = false
                again.append(ticket)
            }
        }
        (underWay, abandoned) = (0, 0)
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

    /// Keeps the line in proportion to those who stand in it.
    private mutating func compact() {
        guard line.count > 2 * inLine + 64 else { return }
        line = line[head...].filter { places[$0] != nil }
        head = 0
    }
}
#endif
