import BenchmarkReport
import Testing

@Suite struct DirectionTests {
    @Test("More of what should be high, and less of what should be low, is an advantage")
    func advantage() {
        #expect(Direction.higher.advantage(of: 10, over: 4) == 2.5)
        #expect(Direction.lower.advantage(of: 4, over: 10) == 2.5)
        #expect(Direction.higher.advantage(of: 1, over: 0) == nil)
        #expect(Direction.lower.advantage(of: 0, over: 1) == nil)
    }
}
