import Testing

@testable import BenchmarkKit

@Suite struct PhaseTests {
    @Test("A worker may send its first request after the end, and its minimum of requests for a while")
    func fewest() {
        let phase = Phase(seconds: 1, fewest: 3)
        let start = MonotonicClock.now
        let (over, longOver) = (start + 2_000_000_000, start + 6_000_000_000)
        #expect(phase.admits(at: start, had: 1000))
        #expect(phase.admits(at: over, had: 2))
        #expect(!phase.admits(at: over, had: 3))
        #expect(!phase.admits(at: longOver, had: 1))
        #expect(phase.admits(at: longOver, had: 0))
    }

    @Test("All workers together send at most the phase's number of requests")
    func limited() {
        let phase = Phase(seconds: 60, requests: 2)
        let admitted = (0..<4).map { phase.admits(at: MonotonicClock.now, had: $0) }
        #expect(admitted == [true, true, false, false])
    }
}
