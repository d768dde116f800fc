import Glibc

/// Returns the result of an operation and its duration.
func timed<Result>(_ operation: () async throws -> Result) async rethrows -> (Result, Duration) {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await operation()
    return (result, clock.now - start)
}

/// The memory of this process, from /proc.
enum Memory {
    /// Bytes in RAM now.
    static var resident: Int { status("VmRSS:") }

    /// The maximum of bytes in RAM since the start or the last ``resetPeak()``.
    static var peak: Int { status("VmHWM:") }

    /// Resets the peak to the present value.
    static func resetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    private static func status(_ name: String) -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard text.hasPrefix(name) else { continue }
            return (Int(text.filter(\.isNumber)) ?? 0) * 1024
        }
        return 0
    }
}
