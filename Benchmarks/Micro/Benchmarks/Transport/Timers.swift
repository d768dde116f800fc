import Benchmark
import MicroKit
import SockeyeCore
import SockeyeNet

/// The timers of a poller's thread, among 1,000 others.
func benchmarkTimers() {
    // What a connection in use costs once a time-out: its timer fires, finds a later deadline and is set again.
    Benchmark("timer-fire-reset") { benchmark in
        var timers = SampleTimers(count: 1000)
        require("one timer is due at a time") { timers.fireAndReset() == 1 }
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(timers.fireAndReset()) }
        benchmark.stopMeasurement()
    }
    // What a connection costs that is opened, waited for and closed: its timer is set and left behind.
    Benchmark("timer-set-abandon") { benchmark in
        var timers = SampleTimers(count: 1000)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(timers.setAndAbandon()) }
        benchmark.stopMeasurement()
    }
}
