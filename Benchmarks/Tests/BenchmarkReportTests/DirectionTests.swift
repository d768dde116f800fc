import BenchmarkReport
import Testing

@Suite struct DirectionTests {
    @Test("A larger value is an advantage if higher is better, a smaller one if lower is better")
    func advantage() {
        #expect(Direction.higher.advantage(of: 10, over: 4) == 2.5)
        #expect(Direction.lower.advantage(of: 4, over: 10) == 2.5)
        #expect(Direction.higher.advantage(of: 1, over: 0) == nil)
        #expect(Direction.lower.advantage(of: 0, over: 1) == nil)
    }
}
