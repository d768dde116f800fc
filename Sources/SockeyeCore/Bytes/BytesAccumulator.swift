/// Joins chunks into one `Bytes`. A single chunk is returned as it is. Several chunks are copied into one block.
/// A block that is full is copied to a new block of at least twice the size.
package struct BytesAccumulator {
    private var single: Bytes?
    private var storage: ByteStorage?
    /// The expected length, up to ``trustedReserve``; 0 if unknown.
    private let expected: Int
    package private(set) var count = 0

    /// The largest reservation that is based on an expected length. A peer may have announced a length that it never
    /// sends, so a larger reservation could waste much memory.
    private static let trustedReserve = 1 << 20

    /// - Parameter expected: The expected total length, which may be wrong; nil if unknown.
    package init(expected: Int?) {
        self.expected = min(expected ?? 0, Self.trustedReserve)
    }

    package mutating func append(_ chunk: Bytes) {
        guard !chunk.isEmpty else { return }
        if count == 0 {
            single = chunk
            count = chunk.count
            return
        }
        if let first = single {
            reserve(first.count + chunk.count, keeping: 0)
            copy(first, at: 0)
            single = nil
        } else {
            reserve(count + chunk.count, keeping: count)
        }
        copy(chunk, at: count)
        count += chunk.count
    }

    private mutating func reserve(_ total: Int, keeping kept: Int) {
        if let storage, storage.byteCapacity >= total { return }
        let larger = ByteStorage.allocate(capacity: max(total, expected, (storage?.byteCapacity ?? 0) * 2))
        if let storage, kept > 0 {
            unsafe larger.mutableBytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage.mutableBytes[..<kept]))
        }
        storage = larger
    }

    private func copy(_ chunk: Bytes, at offset: Int) {
        guard let storage else { return }
        unsafe chunk.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(rebasing: storage.mutableBytes[offset...]).copyMemory(from: source)
        }
    }

    /// Returns all bytes so far and empties the accumulator.
    package mutating func finish() -> Bytes {
        defer {
            single = nil
            storage = nil
            count = 0
        }
        if let single { return single }
        guard let storage else { return Bytes() }
        return Bytes(storage: storage, offset: 0, count: count)
    }
}
