import Glibc

/// The resources that this process uses, as Linux reports them.
package enum ProcessMeter {
    /// Returns the value of a line of `/proc/self/status`, such as VmRSS, in bytes; 0 if the line does not exist.
    package static func status(_ name: String) -> Int {
        guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }
            if words.first == "\(name):", words.count > 1 { return (Int(words[1]) ?? 0) << 10 }
        }
        return 0
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

    private static func clock(_ id: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(id, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
