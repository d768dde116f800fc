internal import CInstructions
internal import Glibc
internal import Synchronization

/// The resources that this process has used so far.
package struct ResourceUsage: Sendable {
    /// CPU seconds in user mode and in the kernel.
    package let user: Double, system: Double
    /// The number of times that a thread yielded or lost its core.
    package let switches: Int
    /// The maximum of the process's resident memory, in KiB (`VmHWM`).
    package let peakKiB: Int
    /// Instructions in user mode since ``beginCounting()``; 0 if it was not called, or they cannot be counted.
    package let instructions: Int
    /// Calls of malloc and similar functions; nil unless the library that counts them is loaded.
    package let allocations: Int?

    private static let counter = Atomic<Int32>(-1)

    /// Begins to count instructions. Call this before the process has other threads: it counts the calling thread and
    /// the threads that it starts.
    ///
    /// Do not use it while times are measured. On a virtual machine, switching threads takes up to ten times as long
    /// with it, because the host takes part in each change of the counters.
    package static func beginCounting() { counter.store(bench_instructions_open(), ordering: .relaxed) }

    package static func current() -> ResourceUsage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return ResourceUsage(
            user: seconds(usage.ru_utime), system: seconds(usage.ru_stime),
            switches: usage.ru_nvcsw + usage.ru_nivcsw, peakKiB: peakResidentKiB(),
            instructions: Int(bench_instructions_read(counter.load(ordering: .relaxed))),
            allocations: AllocationCount.current)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }

    /// Reads the kernel's high-water mark, because `ru_maxrss` includes the parent's memory before `exec`.
    private static func peakResidentKiB() -> Int {
        let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        let text = String(unsafeUninitializedCapacity: 8192) { max(0, read(file, $0.baseAddress, $0.count)) }
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isWholeNumber)) } ?? 0
    }
}
