import BenchmarkReport
import Testing

@Suite struct WaitingTimeTests {
    @Test(
        "A short run may spend all its waiting time at once, a long run earns the rest step by step",
        arguments: [(40, 10), (120, 30), (400, 30)] as [(Double, Double)])
    func start(planned: Double, left: Double) {
        #expect(WaitingTime(planned: planned, fraction: 0.25).left == left)
    }

    @Test("The total waiting time is a fraction of the planned time, even if more was done")
    func total() {
        var time = WaitingTime(planned: 400, fraction: 0.25)
        for _ in 0..<5 { time.earn(planned: 100) }
        #expect(time.left == 100)
    }

    @Test("Spent waiting time returns only with finished steps")
    func spending() {
        var time = WaitingTime(planned: 400, fraction: 0.25)
        time.spend(15)
        #expect(time.left == 15)
        time.earn(planned: 100)
        #expect(time.left == 40)
    }

    @Test("Overspent waiting time is owed, so that small excesses do not add up")
    func debt() {
        var time = WaitingTime(planned: 400, fraction: 0.25)
        time.spend(32)
        #expect(time.left == -2)
        time.earn(planned: 8)
        #expect(time.left == 0)
    }
}
