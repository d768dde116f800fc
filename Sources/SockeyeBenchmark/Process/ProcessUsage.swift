import CSockeyeBenchmark
import FoundationEssentials
import SockeyePlatform

/// The time and the CPU time of this process at one moment, or between two.
struct ProcessUsage {
    /// In seconds, by the monotonic clock.
    var time: Double
    /// In seconds, of all threads.
    var user: Double
    /// In seconds, of all threads.
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

    /// The processors that this process may use.
    static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// The largest resident set so far (VmHWM of proc(5)); nil if it is not known.
    static var peakResidentBytes: Int? {
        guard let status = try? SystemFile.contents(of: "/proc/self/status", limit: 1 << 20) else { return nil }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 << 10 }
    }
}

/// A count of the instructions that this process executes in user mode. One at a time.
struct InstructionCounter {
    /// Starts counting; nil if the machine or its settings do not allow it.
    init?() {
        guard bench_instructions_start() == 0 else { return nil }
    }

    /// Ends the count. Nil if nothing was counted, as on virtual machines without counters.
    func stop() -> UInt64? {
        let count = bench_instructions_stop()
        return count > 0 ? count : nil
    }
}
