import Sockeye
import SockeyeTransfers

/// A client's queue of tasks, some of which run.
struct SampleQueue {
    private var machine = TransferQueueMachine(limit: nil)
    private var last: UInt64 = 0

    init(others count: Int) {
        for _ in 0..<count { _ = add() }
    }

    private mutating func add() -> [UInt64] {
        last += 1
        return machine.add(last, priority: .standard, after: [])
    }

    /// Adds a task, which runs and ends; returns true if that was so.
    mutating func takeTurn() -> Bool {
        let started = add()
        return started == [last] && machine.remove(last).isEmpty
    }
}
