import Glibc

/// The resources that this process uses, as Linux reports them.
package enum ProcessMeter {
    /// Returns the value of a line of `/proc/self/status`, such as VmRSS, in bytes; 0 if the line does not exist.
    package static func status(_ name: String) -> Int {
        for words in lines(of: "/proc/self/status") where words.first == "\(name):" && words.count > 1 {
            return (Int(words[1]) ?? 0) << 10
        }
        return 0
    }

    /// The time for which other processes and the hypervisor have used each processor, on average, since the system
    /// started (proc(5), stat). Only differences mean something. Zero if the system does not measure it.
    package static var timeOfOthers: Duration {
        timeOfOthers(
            in: lines(of: "/proc/stat").first ?? [], own: processorTime, ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)),
            processors: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    /// - Parameters:
    ///   - words: The first line of `/proc/stat`.
    ///   - own: The CPU time of this process in seconds.
    package static func timeOfOthers(
        in words: [Substring], own: Double, ticksPerSecond: Int, processors: Int
    ) -> Duration {
        guard words.count > 8 else { return .zero }
        // user, nice, system, irq, softirq and steal; neither idle nor iowait.
        let ticks = [1, 2, 3, 6, 7, 8].reduce(0) { $0 + (Double(words[$1]) ?? 0) }
        return .seconds((ticks / Double(ticksPerSecond) - own) / Double(max(1, processors)))
    }

    /// Returns the words of each line of a small file.
    private static func lines(of path: String) -> [[Substring]] {
        guard let file = unsafe fopen(path, "r") else { return [] }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        var lines: [[Substring]] = []
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            lines.append(text.split { $0 == " " || $0 == "\t" || $0 == "\n" })
        }
        return lines
    }

    /// Resets VmHWM to the current resident set size (proc(5), clear_refs).
    package static func forgetPeak() {
        guard let file = unsafe fopen("/proc/self/clear_refs", "w") else { return }
        unsafe fputs("5", file)
        unsafe fclose(file)
    }

    /// The time of the monotonic clock in seconds.
    package static var now: Double { clock(CLOCK_MONOTONIC) }

    /// The CPU time of this process in seconds.
    package static var processorTime: Double { clock(CLOCK_PROCESS_CPUTIME_ID) }

    /// Returns the CPU time that this process uses during `work`. Other processes add nothing to it, unlike to elapsed
    /// time, so a test can compare it with a limit on a busy machine.
    package static func processorTime<Failure>(of work: () throws(Failure) -> Void) throws(Failure) -> Duration {
        let start = processorTime
        try work()
        return .seconds(processorTime - start)
    }

    private static func clock(_ id: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(id, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
