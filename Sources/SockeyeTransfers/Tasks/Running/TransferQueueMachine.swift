import SockeyeNet

/// The rank of a task among the waiting ones. The counterpart of `NSURLSessionTask.priority`.
///
/// It orders the tasks of one client that wait because ``/Sockeye/ClientConfiguration/runningTasks`` limits the number
/// of running tasks. Among tasks of equal priority the oldest starts first.
public struct TransferPriority: Sendable, Hashable, Comparable, ExpressibleByFloatLiteral {
    /// The priority, from 0 (starts last) to 1 (starts first).
    public let value: Double

    /// Creates a priority. A value outside of 0…1 is replaced by the nearest valid one.
    public init(_ value: Double) {
        self.value = min(1, max(0, value))
    }

    /// Creates a priority from a literal.
    public init(floatLiteral value: Double) {
        self.init(value)
    }

    /// 0.25.
    public static let low: TransferPriority = 0.25
    /// 0.5.
    public static let standard: TransferPriority = 0.5
    /// 0.75.
    public static let high: TransferPriority = 0.75

    /// True if `left` starts later than `right`.
    public static func < (left: TransferPriority, right: TransferPriority) -> Bool {
        left.value < right.value
    }
}

/// The state machine of a client's task queue, with a limit, priorities and dependencies. No I/O.
///
/// Adding or starting a task, or ending one of its dependencies, takes amortised O(log n) time with n waiting tasks.
/// Only ``holdAll()`` visits all tasks.
package struct TransferQueueMachine: Sendable {
    private struct Entry {
        var priority: TransferPriority
        /// The dependencies that have not ended.
        var dependencies: Set<UInt64>
        /// True if the task has a turn.
        var isRunning = false
        /// True for a paused task. A task that is paused before its start keeps its rank, but starts only after it is
        /// resumed.
        var isHeld = false
        /// The generation of its valid heap entry.
        var generation = 0

        var isReady: Bool { !isRunning && !isHeld && dependencies.isEmpty }
    }

    /// An entry of the heap. It is stale once its task has a newer entry or is not ready any more (lazy deletion).
    private struct HeapEntry: Comparable {
        let priority: TransferPriority
        let id: UInt64
        let generation: Int

        static func < (left: HeapEntry, right: HeapEntry) -> Bool {
            (right.priority, left.id, right.generation) < (left.priority, right.id, left.generation)
        }
    }

    /// The number of tasks that may run at a time; nil for no limit.
    package private(set) var limit: Int?
    private var entries: [UInt64: Entry] = [:]
    /// For each unfinished task, the tasks of this queue that depend on it.
    private var dependents: [UInt64: Set<UInt64>] = [:]
    private var heap = MinHeap<HeapEntry>()
    private var running = 0

    package init(limit: Int?) {
        self.limit = limit
    }

    package var count: Int { entries.count }

    /// Adds a task. Ignores dependencies that have already ended. Returns the tasks that may start now.
    ///
    /// - Parameter foreign: Unfinished tasks of other clients that the task depends on; see ``foreignTaskEnded(_:)``.
    package mutating func add(
        _ id: UInt64, priority: TransferPriority, after dependencies: Set<UInt64>, _ foreign: Set<UInt64> = []
    ) -> [UInt64] {
        let open = dependencies.filter { entries[$0] != nil }.union(foreign)
        for dependency in open { dependents[dependency, default: []].insert(id) }
        entries[id] = Entry(priority: priority, dependencies: open)
        enqueue(id)
        return start()
    }

    /// Removes a task that has ended, even if it never ran. Returns the tasks that may start now.
    package mutating func remove(_ id: UInt64) -> [UInt64] {
        guard let entry = entries.removeValue(forKey: id) else { return [] }
        if entry.isRunning { running -= 1 }
        for dependency in entry.dependencies { dependents[dependency]?.remove(id) }
        releaseDependents(of: id)
        return start()
    }

    /// Records the end of a task of another client. Returns the tasks that may start now.
    package mutating func foreignTaskEnded(_ id: UInt64) -> [UInt64] {
        releaseDependents(of: id)
        return start()
    }

    private mutating func releaseDependents(of id: UInt64) {
        for dependent in dependents.removeValue(forKey: id) ?? [] {
            entries[dependent]?.dependencies.remove(id)
            enqueue(dependent)
        }
    }

    package mutating func setPriority(_ priority: TransferPriority, of id: UInt64) {
        entries[id]?.priority = priority
        enqueue(id)
    }

    package mutating func setLimit(_ limit: Int?) -> [UInt64] {
        self.limit = limit
        return start()
    }

    /// True if the task has a turn: it was returned as a task that may start, and has not been paused or removed since.
    package func hasTurn(_ id: UInt64) -> Bool { entries[id]?.isRunning ?? false }

    /// Pauses or resumes a task whose work has not begun. A paused task loses its turn, and waits for another one when
    /// it is resumed. Returns the tasks that may start now.
    package mutating func setPaused(_ id: UInt64, _ isHeld: Bool) -> [UInt64] {
        entries[id]?.isHeld = isHeld
        if isHeld, hasTurn(id) {
            entries[id]?.isRunning = false
            running -= 1
        }
        enqueue(id)
        return start()
    }

    /// Prevents all tasks that are waiting now from starting, until ``setPaused(_:_:)`` resumes them.
    package mutating func holdAll() {
        for id in Array(entries.keys) { entries[id]?.isHeld = true }
    }

    /// Adds a ready task to the heap. An older heap entry of the task becomes stale.
    private mutating func enqueue(_ id: UInt64) {
        guard var entry = entries[id], entry.isReady else { return }
        entry.generation += 1
        entries[id] = entry
        heap.insert(HeapEntry(priority: entry.priority, id: id, generation: entry.generation))
        guard heap.count > 2 * entries.count + 16 else { return }
        heap.removeAll { [entries] top in !Self.isCurrent(top, in: entries) }
    }

    private static func isCurrent(_ top: HeapEntry, in entries: [UInt64: Entry]) -> Bool {
        guard let entry = entries[top.id] else { return false }
        return entry.isReady && entry.generation == top.generation
    }

    /// Starts tasks by priority up to the limit; among equals the oldest first.
    private mutating func start() -> [UInt64] {
        var started: [UInt64] = []
        while running < limit ?? .max, let top = heap.popMin() {
            guard Self.isCurrent(top, in: entries) else { continue }
            entries[top.id]?.isRunning = true
            running += 1
            started.append(top.id)
        }
        return started
    }
}
