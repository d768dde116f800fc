import Benchmark
import MicroKit
import SockeyeCore
import SockeyeNet

/// Steps that decide about the next address to try: one race in which the first address answers, and one with the
/// fourth.
func benchmarkConnectRaces() {
    let literals = ["2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2"]
    let addresses = literals.compactMap { EndpointAddress(literal: $0, port: 443) }
    let start = MonotonicTime(nanoseconds: 1_000_000_000)
    require("the first attempt wins") { race(to: addresses, winner: 0, from: start).verdict == .won(id: 0, cancel: []) }
    Benchmark("connect-race-first-wins") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(race(to: addresses, winner: 0, from: start))
        }
    }
    require("the fourth attempt wins") {
        race(to: addresses, winner: 3, from: start).verdict == .won(id: 3, cancel: [1, 2])
    }
    Benchmark("connect-race-fourth-wins") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(race(to: addresses, winner: 3, from: start))
        }
    }
}

/// Runs a race. The first attempt fails, unless it is the winner; the others hang until the winner connects.
private func race(to addresses: [EndpointAddress], winner: Int, from start: MonotonicTime) -> HappyEyeballsMachine.Step
{
    var machine = HappyEyeballsMachine()
    var now = start
    blackHole(machine.begin(with: addresses, at: now))
    guard winner > 0 else { return machine.attemptSucceeded(0) }
    blackHole(machine.attemptFailed(0, at: now))
    for _ in 1..<winner {
        now = now.advanced(by: HappyEyeballsMachine.defaultAttemptDelay)
        blackHole(machine.timePassed(at: now))
    }
    return machine.attemptSucceeded(winner)
}
