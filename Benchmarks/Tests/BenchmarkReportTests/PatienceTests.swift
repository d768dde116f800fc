import Testing

@testable import BenchmarkKit

@Suite struct PatienceTests {
    @Test("Waits are evenly distributed over the whole range", arguments: [0, 1, 63])
    func even(task: Int) {
        var patience = Patience(task: task)
        var counts = [Int](repeating: 0, count: 10)
        for _ in 0..<1000 { counts[Int(patience.next() * 10 / Patience.longest)] += 1 }
        #expect(counts.allSatisfy { (90...110).contains($0) })
    }

    @Test("Waits are the same in every run, and differ from task to task")
    func repeatable() {
        var (first, again, other) = (Patience(task: 1), Patience(task: 1), Patience(task: 2))
        let waits = (0..<5).map { _ in first.next() }
        #expect(waits == (0..<5).map { _ in again.next() })
        #expect(waits != (0..<5).map { _ in other.next() })
    }
}
