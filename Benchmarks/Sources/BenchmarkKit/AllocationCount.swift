internal import Glibc

/// How often this process has called malloc and its like so far.
enum AllocationCount {
    private typealias Read = @convention(c) () -> UInt64

    /// The function of the library AllocationCounter, which is there only where the driver preloads it.
    private static let read: Read? = {
        guard let symbol = dlsym(nil, "bench_allocations") else { return nil }
        return unsafeBitCast(symbol, to: Read.self)
    }()

    /// Nil where nobody counts.
    static var current: Int? { read.map { Int($0()) } }
}
