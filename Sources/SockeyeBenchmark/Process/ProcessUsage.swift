import CSockeyeBenchmark
import SockeyeEssentials
import SockeyePlatform

/// The time and CPU time of this process at one instant, or the difference between two instants.
struct ProcessUsage {
    /// The monotonic time in seconds.
    var time: Double
    /// The user CPU time of all threads, in seconds.
    var user: Double
    /// The system CPU time of all threads, in seconds.
    var system: Double

    var cpu: Double { user + system }

    static var current: ProcessUsage {
        let cpu = bench_cpu_time()
        return ProcessUsage(
            time: Double(SystemClock.monotonicNanoseconds) / 1e9, user: cpu.user, system: cpu.system)
    }

    static func - (end: ProcessUsage, start: ProcessUsage) -> ProcessUsage {
        ProcessUsage(time: end.time - start.time, user: end.user - start.user, system: end.system - start.system)
    }

    /// The number of processors that this process may use.
    static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// The largest resident set so far in bytes; nil if it is unknown.
    static var peakResidentBytes: Int? { SystemProcess.peakResidentBytes }
}

/// A counter of the instructions that this process executes in user mode. Only one may exist at a time.
struct InstructionCounter {
    /// Starts counting; nil if the machine or its settings do not allow it.
    init?() {
        guard bench_instructions_start() == 0 else { return nil }
    }

    /// Stops counting. Nil if nothing was counted, as on virtual machines without counters.
    func stop() -> UInt64? {
        let count = bench_instructions_stop()
        return count > 0 ? count : nil
    }
}
