import BenchmarkReport
import CKernelWork

/// Measures the present speed of the machine with a fixed piece of kernel work, and the distance of its cores.
final class MachineProbe {
    /// The number of steps, which take about 20 ms if a step takes 1.5 µs.
    private static let steps: Int32 = 12_000

    private let work: OpaquePointer

    init() throws {
        guard let work = bench_kernel_work_open() else {
            throw BenchFailure.system("cannot open the connections for probes of the machine")
        }
        self.work = work
    }

    func read() throws -> MachineReading {
        var time = bench_kernel_time()
        guard bench_kernel_work_run(work, Self.steps, &time) == 0 else {
            throw BenchFailure.system("a probe of the machine's speed failed")
        }
        var distance = 0.0
        guard bench_core_distance(&distance) == 0 else {
            throw BenchFailure.system("a probe of the cores' distance failed")
        }
        return MachineReading(cpu: time.cpu, wall: time.wall, coreDistance: distance > 0 ? distance : nil)
    }

    deinit { bench_kernel_work_close(work) }
}
