import Sockeye

/// A client's line of tasks, of which some run.
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

    /// A task comes, runs and ends; whether that was so.
    mutating func takeTurn() -> Bool {
        let started = add()
        return started == [last] && machine.remove(last).isEmpty
    }
}
