import Sockeye
import Testing

@Suite("The queue of tasks") struct TransferQueueMachineTests {
    @Test("without a limit everything starts at once")
    func unlimited() {
        var machine = TransferQueueMachine(limit: nil)
        #expect((1...100).flatMap { machine.add($0, priority: .standard, after: []) } == Array(1...100))
    }

    @Test("with a limit the oldest of those with the highest priority goes next")
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

    @Test("tasks wait for those that they depend on, in any number")
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

    @Test("a dependency that has ended already, or never was, is none")
    func endedDependencies() {
        var machine = TransferQueueMachine(limit: nil)
        _ = machine.add(1, priority: .standard, after: [])
        _ = machine.remove(1)
        #expect(machine.add(2, priority: .standard, after: [1, 77]) == [2])
    }

    @Test("one that is held keeps its place and lets others go before")
    func holding() {
        var machine = TransferQueueMachine(limit: 1)
        _ = machine.add(1, priority: .standard, after: [])
        _ = machine.add(2, priority: .high, after: [])
        _ = machine.add(3, priority: .standard, after: [])
        #expect(machine.hold(2, true).isEmpty)
        #expect(machine.remove(1) == [3])
        #expect(machine.hold(2, false).isEmpty)
        #expect(machine.remove(3) == [2])
    }

    @Test("a higher limit starts more, a lower one ends none")
    func limits() {
        var machine = TransferQueueMachine(limit: 1)
        for id in 1...4 as ClosedRange<UInt64> { _ = machine.add(id, priority: .standard, after: []) }
        #expect(machine.setLimit(3) == [2, 3])
        #expect(machine.setLimit(1).isEmpty)
        #expect(machine.remove(1).isEmpty && machine.remove(2).isEmpty)
        #expect(machine.remove(3) == [4])
        #expect(machine.setLimit(nil).isEmpty)
    }

    @Test("removing what waits, twice or not at all, starts nothing that should wait")
    func removing() {
        var machine = TransferQueueMachine(limit: 1)
        _ = machine.add(1, priority: .standard, after: [])
        _ = machine.add(2, priority: .standard, after: [])
        #expect(machine.remove(2).isEmpty && machine.remove(2).isEmpty && machine.remove(9).isEmpty)
        #expect(machine.add(3, priority: .standard, after: []).isEmpty)
        #expect(machine.remove(1) == [3])
    }
}
