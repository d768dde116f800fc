#if DiskCache
/// The order in which entries were used (LRU): uses that are not in the database yet, so that a hit writes nothing. A crash
/// forgets some of them, and no more.
struct RecentUses {
    private var clock: Int64
    private(set) var pending: [Int64: Int64] = [:]

    /// - Parameter clock: The latest use that the database knows.
    init(after clock: Int64) {
        self.clock = clock
    }

    /// The time of a use now: greater than that of all others.
    mutating func next() -> Int64 {
        clock += 1
        return clock
    }

    /// Notes a use of an entry, by its number in the database.
    mutating func note(_ entry: Int64) {
        pending[entry] = next()
    }

    /// All that are pending, to be written down.
    mutating func take() -> [Int64: Int64] {
        defer { pending = [:] }
        return pending
    }
}
#endif
