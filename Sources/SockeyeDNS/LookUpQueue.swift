#if AsyncDNS
/// The admission queue of a ``DNSClient``: a limited number of places for look-ups under way, and a queue of look-ups
/// that wait for a place. A value without I/O.
///
/// States of a look-up: `join` → queued → `next` → under way → `finish` → removed, or under way → `repeat` → queued. If
/// the waiter leaves, a queued look-up is removed, and a look-up under way is abandoned. An abandoned look-up keeps its
/// place until it ends, because c-ares cannot cancel a single query.
struct LookUpQueue<Waiter> {
    private struct Place {
        let host: String
        /// Nil after the waiter has left.
        var waiter: Waiter?
        var isUnderWay = false
        var repeats = 0
    }

    /// The limit of look-ups under way. Their datagrams, two for each name, fit into a socket buffer. More look-ups
    /// would also make it easier to forge an answer, because a guessed 16-bit id would more often be that of a query
    /// under way.
    static var activeLimit: Int { 250 }
    /// The limit of queued look-ups, which take only memory.
    static var queueLimit: Int { 65_536 }
    /// The maximum number of times that a look-up is repeated after interruptions. A look-up is interrupted if its TCP
    /// connection fails or is closed before the answer has arrived.
    static var repeatLimit: Int { 16 }
    /// The limit of look-ups under way after an interruption. It is so low that each look-up is answered before it has
    /// been repeated ``repeatLimit`` times, even if a server closes each connection after a single answer.
    static var limitAfterInterruption: Int { 8 }
    /// The capacity above which the table of look-ups is released when it is empty.
    private static var keptCapacity: Int { 1_024 }

    /// The entries of all look-ups by ticket. A queued look-up has an entry, too, but only look-ups under way count
    /// towards `limit`.
    private var places: [UInt64: Place] = [:]
    private var ticketsUnderWay: Set<UInt64> = []
    /// The current limit of look-ups under way. An interrupted look-up lowers it to ``limitAfterInterruption``. Each
    /// look-up that ends by ``finish(_:)`` raises it by 1, up to ``activeLimit``.
    private var limit = activeLimit
    /// Look-ups to repeat; they precede the queue.
    private var interrupted: [UInt64] = []
    /// The queue, from `head` on. It may contain tickets of removed look-ups.
    private var queue: [UInt64] = []
    private var head = 0
    private var lastTicket: UInt64 = 0
    /// The number of look-ups under way whose waiter has left.
    private(set) var abandoned = 0

    var underWay: Int { ticketsUnderWay.count }
    var hasNoWaiters: Bool { places.count == abandoned }
    /// True if no look-up is queued or under way, not even an abandoned one.
    var isEmpty: Bool { places.isEmpty }
    private var queuedCount: Int { places.count - underWay }

    mutating func join(_ host: String, _ waiter: Waiter) throws(ResolveError) -> UInt64 {
        guard queuedCount < Self.queueLimit else { throw .overloaded(limit: Self.queueLimit) }
        lastTicket += 1
        places[lastTicket] = Place(host: host, waiter: waiter)
        queue.append(lastTicket)
        return lastTicket
    }

    /// Takes the next look-up to begin; nil if the queue is empty or all places are taken.
    mutating func next() -> (ticket: UInt64, host: String, waiter: Waiter)? {
        guard underWay < limit else { return nil }
        while !interrupted.isEmpty || head < queue.count {
            let ticket: UInt64
            if interrupted.isEmpty {
                ticket = queue[head]
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

    /// Ends a look-up and returns its waiter; nil if the waiter has left or there is no such look-up.
    mutating func finish(_ ticket: UInt64) -> Waiter? {
        guard let place = places.removeValue(forKey: ticket) else { return nil }
        ticketsUnderWay.remove(ticket)
        limit = min(Self.activeLimit, limit + 1)
        if place.waiter == nil { abandoned -= 1 }
        releaseMemoryIfEmpty()
        return place.waiter
    }

    /// Puts an interrupted look-up before the queue. Returns false if the look-up was repeated too often, has no waiter
    /// or is not under way.
    mutating func `repeat`(_ ticket: UInt64) -> Bool {
        guard let place = places[ticket], place.isUnderWay, place.waiter != nil, place.repeats < Self.repeatLimit else {
            return false
        }
        places[ticket]?.isUnderWay = false
        places[ticket]?.repeats += 1
        ticketsUnderWay.remove(ticket)
        limit = Self.limitAfterInterruption
        // Sorted by ticket, so that the oldest look-ups are repeated first.
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

    /// Abandons the look-ups under way that have no callers, and returns their waiters. A waiter stands for all callers
    /// that share a look-up. The waiter stays when its last caller has left, so that the answer can be cached.
    ///
    /// Abandons these look-ups only if all places are taken, look-ups are queued, and all abandoned look-ups, including
    /// earlier ones, would take at least half of the places. Then ``isClogged`` is true, so ``DNSState`` reopens the
    /// ``NameServerChannel``, which frees the places.
    mutating func abandonWithoutCallers(_ hasNoCallers: (Waiter) -> Bool) -> [Waiter] {
        guard underWay >= limit, queuedCount > 0 else { return [] }
        let deserted = ticketsUnderWay.compactMap { ticket in
            places[ticket]?.waiter.flatMap { hasNoCallers($0) ? (ticket, $0) : nil }
        }
        guard abandoned + deserted.count >= limit / 2 else { return [] }
        for (ticket, _) in deserted { leave(ticket) }
        return deserted.map(\.1)
    }

    /// True if abandoned look-ups take half of the places or more: then the ``NameServerChannel`` should be reopened,
    /// which cancels these look-ups.
    var isClogged: Bool { abandoned >= limit / 2 }

    /// Puts the look-ups under way back to the front of the queue, and removes abandoned ones.
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
        queue = again.sorted() + queue[head...]
        head = 0
    }

    /// Ends all look-ups and returns their waiters.
    mutating func takeAll() -> [Waiter] {
        let waiters = places.values.compactMap(\.waiter)
        self = LookUpQueue(lastTicket: lastTicket, limit: limit)
        return waiters
    }

    init() {}

    /// Creates an empty queue with the limit of the previous one, because the server may still interrupt look-ups.
    private init(lastTicket: UInt64, limit: Int) {
        self.lastTicket = lastTicket
        self.limit = limit
    }

    private mutating func releaseMemoryIfEmpty() {
        guard places.isEmpty, places.capacity > Self.keptCapacity else { return }
        self = LookUpQueue(lastTicket: lastTicket, limit: limit)
    }

    /// Shortens `queue` if it is long and most of its tickets belong to look-ups that have begun or were removed.
    private mutating func compact() {
        guard queue.count > 2 * queuedCount + 64 else { return }
        queue = queue[head...].filter { places[$0] != nil }
        head = 0
    }
}
#endif
