import BenchmarkReport
import Testing

@Suite struct RemainingTimeTests {
    @Test("Before the first step, the plan is the estimate")
    func plan() {
        #expect(RemainingTime(planned: 120).seconds == 120)
    }

    @Test("Steps that take longer than planned make the rest longer, too")
    func slower() {
        var time = RemainingTime(planned: 300)
        time.finish(planned: 100, took: 200)
        #expect(time.seconds > 300 && time.seconds < 400)
    }

    @Test("No time is left at the end, even if more was done than planned")
    func end() {
        var time = RemainingTime(planned: 10)
        time.finish(planned: 20, took: 30)
        #expect(time.seconds == 0)
    }

    @Test(
        "The text of a remaining time has no false precision",
        arguments: [(3, "a few seconds"), (42, "about 40 s"), (100, "about 2 min"), (600, "about 10 min")]
            as [(Double, String)])
    func text(seconds: Double, text: String) {
        #expect(RemainingTime.text(seconds) == text)
    }
}
