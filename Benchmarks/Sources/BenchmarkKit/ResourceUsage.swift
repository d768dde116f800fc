internal import CInstructions
internal import Glibc
internal import Synchronization

/// What this process has used so far.
package struct ResourceUsage: Sendable {
    /// CPU seconds in user mode and in the kernel.
    package let user: Double, system: Double
    /// How often one of its threads gave its core up or lost it.
    package let switches: Int
    /// The most memory the process ever had resident, in KiB (`VmHWM`).
    package let peakKiB: Int
    /// Instructions in user mode since ``beginCounting()``; 0 without it, or where they cannot be counted.
    package let instructions: Int
    /// Calls of malloc and its like; nil unless the library that counts them is loaded.
    package let allocations: Int?

    private static let counter = Atomic<Int32>(-1)

    /// To be called before the process has other threads: it counts this one and those that come from it.
    ///
    /// Not while times are measured: on a virtual machine, changing from one thread to another takes up to ten times as
    /// long with it, since the host has to do with each change of the counters.
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

    /// `ru_maxrss` would count the parent's memory before `exec`, so the kernel's own high-water mark is read.
    private static func peakResidentKiB() -> Int {
        let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        let text = String(unsafeUninitializedCapacity: 8192) { max(0, read(file, $0.baseAddress, $0.count)) }
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isWholeNumber)) } ?? 0
    }
}
