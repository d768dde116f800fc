import HeapModule

/// Which of the tasks that wait goes first. The counterpart of `NSURLSessionTask.priority`.
///
/// It orders tasks of one client that wait for their turn (``ClientConfiguration/runningTasks``); among equals the one
/// that was made first goes first.
public struct TransferPriority: Sendable, Hashable, Comparable, ExpressibleByFloatLiteral {
    /// From 0, the last, to 1, the first.
    public let value: Double

    /// Makes a priority; values outside of 0…1 become the nearest of those.
    public init(_ value: Double) {
        self.value = min(1, max(0, value))
    }

    /// Makes a priority from a literal.
    public init(floatLiteral value: Double) {
        self.init(value)
    }

    /// 0.25.
    public static let low: TransferPriority = 0.25
    /// 0.5.
    public static let standard: TransferPriority = 0.5
    /// 0.75.
    public static let high: TransferPriority = 0.75

    /// Whether `left` goes later.
    public static func < (left: TransferPriority, right: TransferPriority) -> Bool {
        left.value < right.value
    }
}

/// The run queue of a client's tasks, as a state machine: a limit, priorities and dependencies. No I/O.
///
/// An event costs O(log n) in the number of tasks that wait.
package struct TransferQueueMachine: Sendable {
    private struct Entry {
        var priority: TransferPriority
        /// Those that have not ended.
        var dependencies: Set<UInt64>
        /// Those that depend on this one.
        var dependents: Set<UInt64> = []
        var isRunning = false
        /// Paused before it began; it keeps its rank and does not start.
        var isHeld = false
        /// The generation of its valid heap entry.
        var generation = 0

        var isReady: Bool { !isRunning && !isHeld && dependencies.isEmpty }
    }

    /// An entry of the heap, stale once its task has a newer one or is not ready any more (lazy deletion).
    private struct HeapEntry: Comparable {
        let priority: TransferPriority
        let id: UInt64
        let generation: Int

        static func < (left: HeapEntry, right: HeapEntry) -> Bool {
            (left.priority, right.id, left.generation) < (right.priority, left.id, right.generation)
        }
    }

    /// How many may run at a time; nil: any number.
    package private(set) var limit: Int?
    private var entries: [UInt64: Entry] = [:]
    private var heap = Heap<HeapEntry>()
    private var running = 0

    package init(limit: Int?) {
        self.limit = limit
    }

    package var count: Int { entries.count }

    /// Takes a task in. Dependencies that have ended already are none. Returns the tasks that may start now.
    package mutating func add(_ id: UInt64, priority: TransferPriority, after dependencies: Set<UInt64>) -> [UInt64] {
        let open = dependencies.filter { entries[$0] != nil }
        for dependency in open { entries[dependency]?.dependents.insert(id) }
        entries[id] = Entry(priority: priority, dependencies: open)
        enqueue(id)
        return start()
    }

    /// A task has ended, whether it ran or not.
    package mutating func remove(_ id: UInt64) -> [UInt64] {
        guard let entry = entries.removeValue(forKey: id) else { return [] }
        if entry.isRunning { running -= 1 }
        for dependency in entry.dependencies { entries[dependency]?.dependents.remove(id) }
        for dependent in entry.dependents {
            entries[dependent]?.dependencies.remove(id)
            enqueue(dependent)
        }
        return start()
    }

    package mutating func setPriority(_ priority: TransferPriority, of id: UInt64) {
        entries[id]?.priority = priority
        enqueue(id)
    }

    package mutating func setLimit(_ limit: Int?) -> [UInt64] {
        self.limit = limit
        return start()
    }

    /// Holds a task that waits, or lets it go. One that runs is not affected.
    package mutating func hold(_ id: UInt64, _ isHeld: Bool) -> [UInt64] {
        entries[id]?.isHeld = isHeld
        enqueue(id)
        return isHeld ? [] : start()
    }

    /// Enqueues a task that is ready; an older entry of it becomes stale.
    private mutating func enqueue(_ id: UInt64) {
        guard var entry = entries[id], entry.isReady else { return }
        entry.generation += 1
        entries[id] = entry
        heap.insert(HeapEntry(priority: entry.priority, id: id, generation: entry.generation))
        guard heap.count > 2 * entries.count + 16 else { return }
        heap = Heap(heap.unordered.filter(isCurrent))
    }

    private func isCurrent(_ top: HeapEntry) -> Bool {
        guard let entry = entries[top.id] else { return false }
        return entry.isReady && entry.generation == top.generation
    }

    /// Starts tasks by priority, among equals the oldest first, up to the limit.
    private mutating func start() -> [UInt64] {
        var started: [UInt64] = []
        while running < limit ?? .max, let top = heap.popMax() {
            guard isCurrent(top) else { continue }
            entries[top.id]?.isRunning = true
            running += 1
            started.append(top.id)
        }
        return started
    }
}
