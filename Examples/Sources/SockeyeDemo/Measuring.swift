import Glibc

/// The result of an operation and how long it took.
func timed<Result>(_ operation: () async throws -> Result) async rethrows -> (Result, Duration) {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await operation()
    return (result, clock.now - start)
}

/// The memory of this process, as Linux counts it.
enum Memory {
    /// Bytes in RAM now.
    static var resident: Int { status("VmRSS:") }

    /// The most bytes that were in RAM since the start or the last ``resetPeak()``.
    static var peak: Int { status("VmHWM:") }

    /// Lets the peak start again from what is in RAM now.
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
