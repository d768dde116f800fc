import Benchmark
import MicroKit
import SockeyeCore
import SockeyeNet

/// Steps of a timer in a poller's thread with 1,000 timers.
func benchmarkTimers() {
    // The cost of a used connection once per time-out: its timer fires, finds a later deadline and is set again.
    Benchmark("timer-fire-reset") { benchmark in
        var timers = SampleTimers(count: 1000)
        require("one timer is due at a time") { timers.fireAndReset() == 1 }
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(timers.fireAndReset()) }
        benchmark.stopMeasurement()
    }
    // The cost of a connection that is opened, waited for and closed: its timer is set and abandoned.
    Benchmark("timer-set-abandon") { benchmark in
        var timers = SampleTimers(count: 1000)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(timers.setAndAbandon()) }
        benchmark.stopMeasurement()
    }
}
