import Glibc

/// Why the benchmark cannot go on.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// A failed system call, with the reason in `errno`.
    static func system(_ call: String) -> BenchFailure {
        BenchFailure("\(call): \(String(cString: strerror(errno)))")
    }
}
