import Sockeye
import SockeyeTestSupport
import SockeyeTransfers
import Testing

@Suite("The queue of tasks") struct TransferQueueMachineTests {
    @Test("without a limit every task starts at once")
    func unlimited() {
        var machine = TransferQueueMachine(limit: nil)
        #expect((1...100).flatMap { machine.add($0, priority: .standard, after: []) } == Array(1...100))
    }

    @Test("with a limit the oldest task of the highest priority starts next")
    func order() {
        var machine = TransferQueueMachine(limit: 1)
        #expect(machine.add(1, priority: .low, after: []) == [1])
        #expect(machine.add(2, priority: .standard, after: []).isEmpty)
        #expect(machine.add(3, priority: .high, after: []).isEmpty)
        #expect(machine.add(4, priority: .high, after: []).isEmpty)
        machine.setPriority(1.0, of: 2)
        #expect(machine.remove(1) == [2])
        #expect(machine.remove(2) == [3])
        #expect(machine.remove(3) == [4])
        #expect(machine.remove(4).isEmpty)
        #expect(machine.count == 0)
    }

    @Test("a task waits for all its dependencies")
    func dependencies() {
        var machine = TransferQueueMachine(limit: nil)
        #expect(machine.add(1, priority: .standard, after: []) == [1])
        #expect(machine.add(2, priority: .standard, after: []) == [2])
        #expect(machine.add(3, priority: .high, after: [1, 2]).isEmpty)
        #expect(machine.add(4, priority: .standard, after: [3]).isEmpty)
        #expect(machine.remove(1).isEmpty)
        #expect(machine.remove(2) == [3])
        #expect(machine.remove(3) == [4])
    }

    @Test("an ended or unknown dependency is ignored")
    func endedDependencies() {
        var machine = TransferQueueMachine(limit: nil)
        _ = machine.add(1, priority: .standard, after: [])
        _ = machine.remove(1)
        #expect(machine.add(2, priority: .standard, after: [1, 77]) == [2])
    }

    @Test("a task waits for unfinished tasks of other clients, too")
    func foreignDependencies() {
        var machine = TransferQueueMachine(limit: nil)
        #expect(machine.add(1, priority: .standard, after: []) == [1])
        #expect(machine.add(2, priority: .standard, after: [1, 70], [70]).isEmpty)
        #expect(machine.remove(1).isEmpty)
        #expect(machine.foreignTaskEnded(71).isEmpty)
        #expect(machine.foreignTaskEnded(70) == [2])
        #expect(machine.foreignTaskEnded(70).isEmpty)
    }

    @Test("a paused task keeps its place in the queue, and others start before it")
    func holding() {
        var machine = TransferQueueMachine(limit: 1)
        _ = machine.add(1, priority: .standard, after: [])
        _ = machine.add(2, priority: .high, after: [])
        _ = machine.add(3, priority: .standard, after: [])
        #expect(machine.setPaused(2, true).isEmpty)
        #expect(machine.remove(1) == [3])
        #expect(machine.setPaused(2, false).isEmpty)
        #expect(machine.remove(3) == [2])
    }

    @Test("a task that is paused after it got its turn gives the turn to the next task, and queues again when resumed")
    func returningTurn() {
        var machine = TransferQueueMachine(limit: 1)
        #expect(machine.add(1, priority: .standard, after: []) == [1])
        #expect(machine.add(2, priority: .standard, after: []).isEmpty)
        #expect(machine.hasTurn(1) && !machine.hasTurn(2))
        #expect(machine.setPaused(1, true) == [2])
        #expect(!machine.hasTurn(1) && machine.hasTurn(2))
        #expect(machine.setPaused(1, true).isEmpty)
        #expect(machine.setPaused(1, false).isEmpty)
        #expect(machine.remove(2) == [1])
        #expect(machine.remove(1).isEmpty)
    }

    @Test("a higher limit starts more tasks, and a lower limit ends no running task")
    func limits() {
        var machine = TransferQueueMachine(limit: 1)
        for id in 1...4 as ClosedRange<UInt64> { _ = machine.add(id, priority: .standard, after: []) }
        #expect(machine.setLimit(3) == [2, 3])
        #expect(machine.setLimit(1).isEmpty)
        #expect(machine.remove(1).isEmpty && machine.remove(2).isEmpty)
        #expect(machine.remove(3) == [4])
        #expect(machine.setLimit(nil).isEmpty)
    }

    @Test("removing a waiting task, even twice, starts no other task")
    func removing() {
        var machine = TransferQueueMachine(limit: 1)
        _ = machine.add(1, priority: .standard, after: [])
        _ = machine.add(2, priority: .standard, after: [])
        #expect(machine.remove(2).isEmpty && machine.remove(2).isEmpty && machine.remove(9).isEmpty)
        #expect(machine.add(3, priority: .standard, after: []).isEmpty)
        #expect(machine.remove(1) == [3])
    }

    @Test("hundreds of tasks start in order of priority and age", arguments: 1...2)
    func hundreds(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var machine = TransferQueueMachine(limit: 0)
        var waiting: [UInt64: TransferPriority] = [:]
        for id in UInt64(1)...200 {
            waiting[id] = TransferPriority(Double(UInt.random(in: 0...3, using: &random)) / 3)
            #expect(machine.add(id, priority: waiting[id] ?? .low, after: []).isEmpty)
        }
        // Priorities change repeatedly, which must not enlarge the queue permanently.
        for _ in 0..<1000 {
            let id = UInt64.random(in: 1...200, using: &random)
            waiting[id] = TransferPriority(Double(UInt.random(in: 0...3, using: &random)) / 3)
            machine.setPriority(waiting[id] ?? .low, of: id)
        }
        let expected = waiting.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map(\.key)
        #expect(machine.setLimit(nil) == expected)
        for id in expected { #expect(machine.remove(id).isEmpty) }
        #expect(machine.count == 0)
    }

    @Test("a task that ends before its dependencies does not start when they end")
    func cancelledDependent() {
        var machine = TransferQueueMachine(limit: nil)
        _ = machine.add(1, priority: .standard, after: [])
        _ = machine.add(2, priority: .standard, after: [1])
        #expect(machine.remove(2).isEmpty)
        #expect(machine.remove(1).isEmpty)
        #expect(machine.count == 0)
    }
}
