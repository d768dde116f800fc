/// Who waits under which id: by the id's slot, since hashing an id costs more than all the rest of a look-up.
struct WaiterDirectory {
    private var places: [PoolWaiter?] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// The machine gives a slot to one waiter at a time.
    mutating func insert(_ waiter: PoolWaiter, as id: WaiterID) {
        let slot = Int(id.slot)
        while places.count <= slot { places.append(nil) }
        places[slot] = waiter
        count += 1
    }

    mutating func remove(_ id: WaiterID) -> PoolWaiter? {
        let slot = Int(id.slot)
        guard slot < places.count, let waiter = places[slot] else { return nil }
        places[slot] = nil
        count -= 1
        if count == 0, places.count > PoolMemory.kept { places = [] }
        return waiter
    }

    mutating func removeAll() -> [PoolWaiter] {
        defer {
            places = []
            count = 0
        }
        return places.compactMap { $0 }
    }
}
