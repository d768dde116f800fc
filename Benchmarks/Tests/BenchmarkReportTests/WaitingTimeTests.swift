import BenchmarkReport
import Testing

@Suite struct WaitingTimeTests {
    @Test(
        "A short run may spend all of its time at once, a long one earns the rest step by step",
        arguments: [(40, 10), (120, 30), (400, 30)] as [(Double, Double)])
    func start(planned: Double, left: Double) {
        #expect(WaitingTime(planned: planned, fraction: 0.25).left == left)
    }

    @Test("All in all it is the fraction of what was planned, and no more if more was done")
    func total() {
        var time = WaitingTime(planned: 400, fraction: 0.25)
        for _ in 0..<5 { time.earn(planned: 100) }
        #expect(time.left == 100)
    }

    @Test("What is spent is gone, and comes back only by what is done")
    func spending() {
        var time = WaitingTime(planned: 400, fraction: 0.25)
        time.spend(15)
        #expect(time.left == 15)
        time.earn(planned: 100)
        #expect(time.left == 40)
    }

    @Test("What was spent too much is owed, so that a little too much each time does not add up")
    func debt() {
        var time = WaitingTime(planned: 400, fraction: 0.25)
        time.spend(32)
        #expect(time.left == -2)
        time.earn(planned: 8)
        #expect(time.left == 0)
    }
}
