import FoundationEssentials

extension Bytes {
    /// Calls `body` with `Data` over the same memory, without a copy.
    ///
    /// For reading only: a `Data` that thinks itself the only owner changes its bytes in place, and these are shared. So
    /// it goes to decoders, which read, and never to callers.
    func withData<Result>(_ body: (Data) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return try body(Data()) }
            // The closure holds `self`, so the memory lives for as long as anything refers to the data.
            let data = unsafe Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: bytes.count,
                deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
            return try body(data)
        }
    }
}
