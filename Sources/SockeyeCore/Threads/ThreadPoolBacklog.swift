/// A first-in, first-out queue of work from which a caller can also withdraw work. Each operation takes amortised
/// constant time.
struct ThreadPoolBacklog {
    /// The work in order; nil for work that was taken or withdrawn.
    private var slots: [(any ThreadPoolWork)?] = []
    /// The index before which all slots are nil.
    private var first = 0
    private var indices: [ObjectIdentifier: Int] = [:]

    var count: Int { indices.count }
    var isEmpty: Bool { indices.isEmpty }

    /// Appends work. It must not be queued already.
    mutating func append(_ work: any ThreadPoolWork) {
        // Under this condition at least half of the slots are nil, so compaction visits at most two slots for each
        // removal.
        if slots.count >= 2 * count + 16 { compact() }
        indices[ObjectIdentifier(work)] = slots.count
        slots.append(work)
    }

    /// Takes the oldest work; nil if the queue is empty.
    mutating func popFirst() -> (any ThreadPoolWork)? {
        while first < slots.count {
            let work = slots[first].take()
            first += 1
            guard let work else { continue }
            indices[ObjectIdentifier(work)] = nil
            return work
        }
        return nil
    }

    /// Removes work from the queue; does nothing if the work is not queued.
    mutating func withdraw(_ work: any ThreadPoolWork) {
        guard let index = indices.removeValue(forKey: ObjectIdentifier(work)) else { return }
        slots[index] = nil
    }

    private mutating func compact() {
        slots.removeAll { $0 == nil }
        first = 0
        for (index, work) in slots.enumerated() {
            if let work { indices[ObjectIdentifier(work)] = index }
        }
    }
}
