/// Which tasks of a client may run: a limit, priorities, and dependencies. Pure.
package struct TransferQueueMachine: Sendable {
    private struct Entry {
        var priority: TransferPriority
        var dependencies: Set<UInt64>
        var isRunning = false
        /// Paused before it began; it keeps its place and does not start.
        var isHeld = false
    }

    /// How many may run at a time; nil: any number.
    package private(set) var limit: Int?
    private var entries: [UInt64: Entry] = [:]
    private var running = 0

    package init(limit: Int?) {
        self.limit = limit
    }

    package var count: Int { entries.count }

    /// Takes a task in. Dependencies that have ended already are none. Returns the tasks that may start now.
    package mutating func add(_ id: UInt64, priority: TransferPriority, after dependencies: Set<UInt64>) -> [UInt64] {
        let open = dependencies.filter { entries[$0] != nil }
        entries[id] = Entry(priority: priority, dependencies: open)
        return start()
    }

    /// A task has ended, whether it ran or not.
    package mutating func remove(_ id: UInt64) -> [UInt64] {
        guard let entry = entries.removeValue(forKey: id) else { return [] }
        if entry.isRunning { running -= 1 }
        for other in entries.keys { entries[other]?.dependencies.remove(id) }
        return start()
    }

    package mutating func setPriority(_ priority: TransferPriority, of id: UInt64) {
        entries[id]?.priority = priority
    }

    package mutating func setLimit(_ limit: Int?) -> [UInt64] {
        self.limit = limit
        return start()
    }

    /// Holds a task that waits, or lets it go. One that runs is not affected.
    package mutating func hold(_ id: UInt64, _ isHeld: Bool) -> [UInt64] {
        entries[id]?.isHeld = isHeld
        return isHeld ? [] : start()
    }

    private mutating func start() -> [UInt64] {
        var started: [UInt64] = []
        while running < limit ?? .max, let next = next() {
            entries[next]?.isRunning = true
            running += 1
            started.append(next)
        }
        return started
    }

    /// Of those that may start the one with the highest priority, and of those the oldest.
    private func next() -> UInt64? {
        entries.lazy.filter { !$0.value.isRunning && !$0.value.isHeld && $0.value.dependencies.isEmpty }
            .max { ($0.value.priority, $1.key) < ($1.value.priority, $0.key) }?.key
    }
}
