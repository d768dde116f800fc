import Benchmark
import MicroKit
import Sockeye
import SockeyeCore

/// Steps of the pool: the two that nearly every request takes, and the two of a request that has to wait, with few and
/// with many origins.
func benchmarkPool() {
    for count in [1, 100, 10_000] {
        let suffix = count == 1 ? "1-origin" : "\(count)-origins"
        Benchmark("pool-lease-release-\(suffix)") { benchmark in
            var pool = SamplePool(origins: count)
            pool.releaseAll()
            require("an idle connection is lent") { pool.leaseAndRelease(0) }
            benchmark.startMeasurement()
            for iteration in benchmark.scaledIterations {
                blackHole(pool.leaseAndRelease(iteration))
            }
            benchmark.stopMeasurement()
        }
        Benchmark("pool-wait-serve-\(suffix)") { benchmark in
            var pool = SamplePool(origins: count)
            require("who waits is served") { pool.waitAndServe(0) }
            benchmark.startMeasurement()
            for iteration in benchmark.scaledIterations {
                blackHole(pool.waitAndServe(iteration))
            }
            benchmark.stopMeasurement()
        }
    }
}
