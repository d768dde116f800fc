internal import Glibc

/// The time at which this process became this program, and the CPU time that it had used: `stamped-exec` puts both into
/// the environment.
struct Launch {
    /// The time of ``MonotonicClock``, in nanoseconds.
    let start: UInt64
    /// CPU seconds in user mode and in the kernel.
    let user: Double, system: Double

    static func current() throws -> Launch {
        let text = getenv("SOCKEYE_BENCH_STARTED").map { String(cString: $0) } ?? ""
        let numbers = text.split(separator: " ").compactMap { UInt64($0) }
        guard numbers.count == 3 else { throw MissingStamp() }
        return Launch(start: numbers[0], user: Double(numbers[1]) / 1e6, system: Double(numbers[2]) / 1e6)
    }

    private struct MissingStamp: Error, CustomStringConvertible {
        let description = "a process that measures its start must be started by stamped-exec"
    }
}
