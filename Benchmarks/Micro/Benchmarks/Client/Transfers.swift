import Benchmark
import MicroKit
import Sockeye
import SockeyeTransfers

/// Steps that a transfer takes because it is a task: recording progress, without and with a reader, and waiting for its
/// turn among few and among many tasks.
func benchmarkTransfers() {
    Benchmark("progress-update") { benchmark in
        let channel = ProgressChannel(timer: ProgressTimer(clock: .system))
        benchmarkUpdates(benchmark, of: channel)
    }
    Benchmark("progress-update-watched") { benchmark in
        let channel = ProgressChannel(timer: ProgressTimer(clock: .system))
        let listener = Task {
            for await progress in TransferProgress.Updates(channel) { blackHole(progress) }
        }
        benchmarkUpdates(benchmark, of: channel)
        listener.cancel()
        await listener.value
    }
    for count in [1, 1000] {
        Benchmark("transfer-turn-among-\(count)") { benchmark in
            var queue = SampleQueue(others: count - 1)
            require("a task takes its turn at once") { queue.takeTurn() }
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations {
                blackHole(queue.takeTurn())
            }
            benchmark.stopMeasurement()
        }
    }
}

private func benchmarkUpdates(_ benchmark: Benchmark, of channel: ProgressChannel) {
    var completed = 0
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
        completed += 1 << 16
        channel.update(completed, of: 1 << 40)
    }
    benchmark.stopMeasurement()
    require("the last one counts") { channel.current.completed == completed }
}
