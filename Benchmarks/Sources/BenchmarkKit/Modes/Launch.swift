internal import Glibc

/// When this process became this program, and what it had used by then: `stamped-exec` puts it into the environment.
struct Launch {
    /// By ``MonotonicClock``, in nanoseconds.
    let start: UInt64
    /// CPU seconds.
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
