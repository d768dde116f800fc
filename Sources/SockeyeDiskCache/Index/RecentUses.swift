#if DiskCache
/// The order in which entries were used (LRU). Uses are collected in memory, so that almost no hit writes to the disk.
/// After a crash only the latest uses are lost.
struct RecentUses {
    private var clock: Int64
    /// The pending uses, which are not in the database yet: for the number of an entry, the logical time of its latest
    /// use.
    private(set) var pending: [Int64: Int64] = [:]
    /// The pending uses are written to the database when there are this many of them.
    private var limit = RecentUses.mostPending

    /// The usual value of `limit`. After a failed write, this many further uses must become pending before the next
    /// attempt.
    static var mostPending: Int { 4096 }

    /// True if the pending uses should be written to the database.
    var isDue: Bool { pending.count >= limit }

    /// - Parameter clock: The logical time of the latest use in the database.
    init(after clock: Int64) {
        self.clock = clock
    }

    /// Returns the logical time of a new use, which is greater than all others.
    mutating func next() -> Int64 {
        clock += 1
        return clock
    }

    /// Records a use of an entry, by its number in the database.
    mutating func note(_ entry: Int64) {
        pending[entry] = next()
    }

    /// Returns and clears the pending uses.
    mutating func take() -> [Int64: Int64] {
        defer { (pending, limit) = ([:], Self.mostPending) }
        return pending
    }

    /// Takes back uses that could not be written. Later uses of the same entries take precedence.
    mutating func restore(_ uses: [Int64: Int64]) {
        pending.merge(uses) { later, _ in later }
        limit = pending.count + Self.mostPending
    }
}
#endif
