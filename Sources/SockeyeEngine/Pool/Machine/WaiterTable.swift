import SockeyeCore

/// All waiters of the pool and the queues that they are in.
///
/// Removing a waiter also unlinks it from the lists of its origin, ``OriginRecord/queue`` and
/// ``OriginRecord/ordinary``.
struct WaiterTable {
    private var waiters = SlotMap<WaiterRecord, WaiterKind>()
    private var queueLinks = IntrusiveListLinks()
    private var ordinaryLinks = IntrusiveListLinks()
    private var lastSequence: UInt64 = 0

    /// The number of waiters without a dial (a connection being opened): those that a limit holds back.
    private(set) var uncovered = 0

    var count: Int { waiters.count }
    var isEmpty: Bool { waiters.isEmpty }

    /// All waiters in order of arrival. O(n log n).
    var all: [WaiterID] {
        waiters.indices.sorted { waiters[$0].sequence < waiters[$1].sequence }.map { waiters.id(at: $0) }
    }

    subscript(index: Int) -> WaiterRecord { waiters[index] }

    func index(of id: WaiterID) -> Int? { waiters.index(of: id) }
    func id(at index: Int) -> WaiterID { waiters.id(at: index) }

    /// Adds a waiter to the end of its origin's queue. If one of the origin's dials is available
    /// (``OriginRecord/surplusDials``), the dial is assigned to the first waiter without a dial.
    mutating func append(fresh: Bool, origin: Int, to record: inout OriginRecord) -> WaiterID {
        lastSequence += 1
        let id = waiters.insert(WaiterRecord(origin: origin, sequence: lastSequence, fresh: fresh))
        let index = Int(id.slot)
        queueLinks.append(index, to: &record.queue)
        if !fresh { ordinaryLinks.append(index, to: &record.ordinary) }
        record.waiting += 1
        uncovered += 1
        if record.firstUncovered == nil { record.firstUncovered = index }
        coverByDials(in: &record)
        return id
    }

    /// Adds a waiter to its origin's queue at the place that it had in an earlier wait. If younger waiters have dials,
    /// the added waiter gets one, too: an available dial, or else the dial of the youngest of those waiters.
    mutating func insert(
        fresh: Bool, at sequence: UInt64, origin: Int, into record: inout OriginRecord
    ) -> WaiterID {
        let next = first(after: sequence, in: record.queue, queueLinks)
        let nextOrdinary = first(after: sequence, in: record.ordinary, ordinaryLinks)
        let id = waiters.insert(WaiterRecord(origin: origin, sequence: sequence, fresh: fresh))
        let index = Int(id.slot)
        queueLinks.insert(index, before: next, in: &record.queue)
        if !fresh { ordinaryLinks.insert(index, before: nextOrdinary, in: &record.ordinary) }
        record.waiting += 1
        if let next, waiters[next].covered {
            waiters[index].covered = true
            record.covered += 1
            if record.surplusDials < 0 { uncoverLast(of: &record) }
        } else {
            uncovered += 1
            if record.firstUncovered == next { record.firstUncovered = index }
            coverByDials(in: &record)
        }
        return id
    }

    /// The first waiter of a list that arrived after a sequence number.
    private func first(after sequence: UInt64, in list: IntrusiveList, _ links: IntrusiveListLinks) -> Int? {
        var next = list.first
        while let index = next, waiters[index].sequence < sequence { next = links.next(after: index) }
        return next
    }

    /// Removes a waiter from its queue. Its dial is assigned to the next waiter without a dial.
    mutating func remove(at index: Int, from record: inout OriginRecord) {
        let waiter = waiters[index]
        if waiter.covered {
            record.covered -= 1
        } else {
            uncovered -= 1
            if record.firstUncovered == index { record.firstUncovered = queueLinks.next(after: index) }
        }
        queueLinks.remove(index, from: &record.queue)
        if !waiter.fresh { ordinaryLinks.remove(index, from: &record.ordinary) }
        record.waiting -= 1
        waiters.remove(at: index)
        releaseMemoryIfEmpty()
        coverByDials(in: &record)
    }

    /// Assigns the dials of an origin to the first waiters of its queue.
    mutating func coverByDials(in record: inout OriginRecord) {
        while record.surplusDials > 0, let index = record.firstUncovered {
            waiters[index].covered = true
            record.covered += 1
            uncovered -= 1
            record.firstUncovered = queueLinks.next(after: index)
        }
    }

    /// Takes away the dial of the youngest waiter with a dial, and returns that waiter.
    ///
    /// - Precondition: A waiter of the origin has a dial.
    @discardableResult
    mutating func uncoverLast(of record: inout OriginRecord) -> Int {
        guard let index = lastCovered(of: record) else { preconditionFailure("no waiter of the origin has a dial") }
        waiters[index].covered = false
        record.covered -= 1
        uncovered += 1
        record.firstUncovered = index
        return index
    }

    /// The last waiter with a dial in an origin's queue; nil if no waiter has a dial.
    func lastCovered(of record: OriginRecord) -> Int? {
        guard let index = record.firstUncovered else { return record.queue.last }
        return queueLinks.previous(before: index)
    }

    private mutating func releaseMemoryIfEmpty() {
        guard waiters.isEmpty && queueLinks.capacity > SlotMemory.kept else { return }
        queueLinks.releaseMemory()
        ordinaryLinks.releaseMemory()
    }
}

/// A request that waits for a connection.
struct WaiterRecord {
    let origin: Int
    /// The order of arrival over all origins.
    let sequence: UInt64
    /// True if the waiter accepts only a newly dialled connection.
    let fresh: Bool
    /// True if a dial under way is assigned to this waiter.
    var covered = false
}
