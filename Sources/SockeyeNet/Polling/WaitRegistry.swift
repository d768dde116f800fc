/// The slot map with generations that holds the wait points of a poller. Pure bookkeeping; the loop guards it with a lock.
struct WaitRegistry {
    private struct Entry {
        var generation: UInt32
        var point: WaitPoint?
    }

    private var entries: [Entry] = []
    private var free: [UInt32] = []

    /// Reserves a place. A place gets a new generation each time it is used again.
    mutating func reserve() -> WaitToken {
        if let index = free.popLast() {
            entries[Int(index)].generation &+= 1
            return WaitToken(index: index, generation: entries[Int(index)].generation)
        }
        entries.append(Entry(generation: 1, point: nil))
        return WaitToken(index: UInt32(entries.count - 1), generation: 1)
    }

    mutating func fill(_ token: WaitToken, with point: WaitPoint) {
        entries[Int(token.index)].point = point
    }

    /// Gives the place back and returns who was there, so that the caller can let go of it outside its lock.
    mutating func remove(_ token: WaitToken) -> WaitPoint? {
        guard entries[Int(token.index)].generation == token.generation else { return nil }
        defer { entries[Int(token.index)].point = nil }
        free.append(token.index)
        return entries[Int(token.index)].point
    }

    /// The point that `token` names, unless its place has been given up since.
    func point(_ token: WaitToken) -> WaitPoint? {
        let entry = entries[Int(token.index)]
        return entry.generation == token.generation ? entry.point : nil
    }
}
