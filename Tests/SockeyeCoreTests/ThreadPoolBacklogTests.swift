import Testing

@testable import SockeyeCore

@Suite("The queue of a thread pool", .timeLimit(.minutes(1)))
struct ThreadPoolBacklogTests {
    private final class Work: ThreadPoolWork {
        let number: Int

        init(_ number: Int) {
            self.number = number
        }

        func perform() {}
    }

    private func drained(_ backlog: inout ThreadPoolBacklog) -> [Int] {
        var numbers: [Int] = []
        while let work = backlog.popFirst() as? Work { numbers.append(work.number) }
        return numbers
    }

    @Test(
        "the queue gives work in order, without the withdrawn work",
        arguments: [
            (4, [], [0, 1, 2, 3]), (4, [0], [1, 2, 3]), (4, [3], [0, 1, 2]), (4, [1, 2], [0, 3]),
            (4, [3, 2, 1, 0], []), (1, [0], []), (0, [], []),
        ] as [(Int, [Int], [Int])])
    func order(count: Int, withdrawn: [Int], expected: [Int]) {
        var backlog = ThreadPoolBacklog()
        let works = (0..<count).map { Work($0) }
        for work in works { backlog.append(work) }
        for number in withdrawn { backlog.withdraw(works[number]) }
        #expect(backlog.count == expected.count && backlog.isEmpty == expected.isEmpty)
        #expect(drained(&backlog) == expected)
        #expect(backlog.isEmpty)
    }

    @Test("the queue ignores the withdrawal of absent work, and accepts withdrawn work again")
    func absent() {
        var backlog = ThreadPoolBacklog()
        let (first, second) = (Work(1), Work(2))
        backlog.append(first)
        backlog.append(second)
        #expect(backlog.popFirst() === first)
        backlog.withdraw(first)
        backlog.withdraw(Work(3))
        #expect(backlog.count == 1)
        backlog.withdraw(second)
        backlog.append(second)
        #expect(drained(&backlog) == [2])
    }

    @Test("the queue keeps the order over any mix of operations", arguments: [3, 5, 7])
    func mixed(step: Int) {
        var backlog = ThreadPoolBacklog()
        var model: [Work] = []
        for number in 0..<5000 {
            let work = Work(number)
            backlog.append(work)
            model.append(work)
            if number % step == 0 { backlog.withdraw(model.remove(at: number * 31 % model.count)) }
            // The queue grows first, and then it shrinks.
            if number % 3 == 0 || number > 2500 {
                let expected = model.isEmpty ? nil : model.removeFirst()
                #expect(backlog.popFirst() === expected)
            }
            guard backlog.count == model.count else {
                Issue.record("\(backlog.count) units are queued instead of \(model.count)")
                return
            }
        }
        #expect(drained(&backlog) == model.map(\.number))
    }

    @Test("the queue needs no quadratic time for a hundred thousand withdrawals")
    func large() {
        var backlog = ThreadPoolBacklog()
        let works = (0..<200_000).map { Work($0) }
        for work in works { backlog.append(work) }
        for work in works where work.number % 2 == 0 { backlog.withdraw(work) }
        #expect(backlog.count == 100_000)
        #expect(drained(&backlog) == works.map(\.number).filter { $0 % 2 != 0 })
    }
}
