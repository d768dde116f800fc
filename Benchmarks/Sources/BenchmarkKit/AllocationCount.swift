internal import Glibc

/// The number of calls of malloc and similar functions by this process so far.
enum AllocationCount {
    private typealias Read = @convention(c) () -> UInt64

    /// The function of the library AllocationCounter; nil unless the driver preloads the library.
    private static let read: Read? = {
        guard let symbol = dlsym(nil, "bench_allocations") else { return nil }
        return unsafeBitCast(symbol, to: Read.self)
    }()

    /// The count; nil if the library is not loaded.
    static var current: Int? { read.map { Int($0()) } }
}
