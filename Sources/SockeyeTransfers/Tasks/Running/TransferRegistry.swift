package import SockeyeEngine
import Synchronization

/// The registry and run queue of the tasks of a client and all its scopes (clients made from it with `scoped`).
package final class TransferRegistry: Sendable {
    private struct State {
        var queue: TransferQueueMachine
        var tasks: [UInt64: any TransferHandle] = [:]
        var isInvalid = false
    }

    private let state: Mutex<State>
    /// The timer that all progress iterators share.
    let timer: ProgressTimer
    private static let lastID = Atomic<UInt64>(0)
    /// The unfinished tasks of all clients of the process, because a task may depend on a task of another client.
    private static let unfinished = Mutex<[UInt64: any TransferHandle]>([:])

    package init(limit: Int?, clock: CallClock = .system) {
        timer = ProgressTimer(clock: clock)
        state = Mutex(State(queue: TransferQueueMachine(limit: limit)))
    }

    static func nextID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

    var tasks: [any TransferHandle] {
        state.withLock { $0.tasks.values.sorted { $0.id < $1.id } }
    }

    /// Adds a task. Returns false after ``invalidate()``.
    func add(_ task: some TransferHandle, priority: TransferPriority, after dependencies: Set<UInt64>) -> Bool {
        let (isTaken, due, foreign) = state.withLock { state -> (Bool, [any TransferHandle], [any TransferHandle]) in
            guard !state.isInvalid else { return (false, [], []) }
            let foreign = Self.unfinished.withLock { unfinished in
                defer { unfinished[task.id] = task }
                return dependencies.compactMap { state.tasks[$0] == nil ? unfinished[$0] : nil }
            }
            state.tasks[task.id] = task
            let due = state.queue.add(task.id, priority: priority, after: dependencies, Set(foreign.map(\.id)))
            return (true, due.compactMap { state.tasks[$0] }, foreign)
        }
        start(due)
        for dependency in foreign { release(after: dependency) }
        return isTaken
    }

    /// Starts a Swift task that waits for the end of `dependency`, a task of another client, and then informs the
    /// queue.
    private func release(after dependency: any TransferHandle) {
        Task { [weak self] in
            await dependency.waitUntilEnded()
            self?.change { $0.queue.foreignTaskEnded(dependency.id) }
        }
    }

    func remove(_ id: UInt64) {
        change { state in
            state.tasks[id] = nil
            Self.unfinished.withLock { $0[id] = nil }
            return state.queue.remove(id)
        }
    }

    func setPriority(_ priority: TransferPriority, of id: UInt64) {
        state.withLock { $0.queue.setPriority(priority, of: id) }
    }

    /// Pauses a task whose work has not begun. Returns true if the task had a turn, which it loses.
    func pause(_ id: UInt64) -> Bool {
        let (hadTurn, due) = state.withLock { state -> (Bool, [any TransferHandle]) in
            let hadTurn = state.queue.hasTurn(id)
            return (hadTurn, state.queue.setPaused(id, true).compactMap { state.tasks[$0] })
        }
        start(due)
        return hadTurn
    }

    /// Lets a paused task wait for its turn again.
    func resume(_ id: UInt64) {
        change { $0.queue.setPaused(id, false) }
    }

    func setLimit(_ limit: Int?) {
        change { $0.queue.setLimit(limit) }
    }

    /// Rejects new tasks from now on.
    func invalidate() {
        state.withLock { $0.isInvalid = true }
    }

    /// Cancels all tasks and returns them. First holds the tasks that have not started, so that none of them starts in
    /// the place of a cancelled task.
    func cancelAll() async -> [any TransferHandle] {
        state.withLock { $0.queue.holdAll() }
        let tasks = tasks
        for task in tasks { await task.cancel() }
        return tasks
    }

    private func change(_ body: (inout State) -> [UInt64]) {
        start(state.withLock { state in body(&state).compactMap { state.tasks[$0] } })
    }

    private func start(_ due: [any TransferHandle]) {
        for task in due { task.takeTurn() }
    }
}

/// A task without the type of its result, so that one dictionary holds all tasks.
package protocol TransferHandle: AnyObject, Sendable {
    nonisolated var id: UInt64 { get }
    nonisolated var kind: TransferKind { get }
    /// Tells the task that it may start. Does not wait for the start.
    nonisolated func takeTurn()
    func cancel() async
    /// Returns when the task has ended, with any outcome.
    nonisolated func waitUntilEnded() async
}
