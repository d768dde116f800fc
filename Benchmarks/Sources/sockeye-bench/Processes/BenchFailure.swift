import Glibc

/// An error that ends the benchmark.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Makes an error for a failed system call, with the reason in `errno`.
    static func system(_ call: String) -> BenchFailure {
        BenchFailure("\(call): \(String(cString: strerror(errno)))")
    }
}
