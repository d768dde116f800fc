import Synchronization

/// A byte buffer of fixed size made of relaxed atomic words, for one writer and many readers, without reference counts.
///
/// A single word is never torn. The owner must ensure that readers see words of the same write: by writing only once,
/// before it publishes the count, or by a version (see ``FieldLineSeqlock``).
struct AtomicBytes: ~Copyable, Sendable {
    /// The size in bytes.
    static let capacity = 512

    private let words = InlineArray<64, Atomic<UInt64>> { _ in Atomic(0) }

    /// Writes bytes to the start of the buffer. Only one thread at a time may write.
    /// - Precondition: There are at most ``capacity`` bytes.
    func write(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= Self.capacity, "the bytes exceed the capacity")
        var (index, word) = (0, UInt64(0))
        for offset in bytes.indices {
            word |= UInt64(unsafe bytes[offset]) << UInt64(8 * (offset & 7))
            guard offset & 7 == 7 || offset == bytes.count - 1 else { continue }
            words[index].store(word, ordering: .relaxed)
            (index, word) = (index + 1, 0)
        }
    }

    /// Returns true if the buffer begins with these bytes.
    @inline(__always)
    func begins(with bytes: UnsafeRawPointer, count: Int) -> Bool {
        guard count <= Self.capacity else { return false }
        let full = count &>> 3
        for index in 0..<full {
            let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
            guard words[index].load(ordering: .relaxed) == word else { return false }
        }
        guard count & 7 != 0 else { return true }
        return unsafe Self.tail(bytes, count: count) == words[full].load(ordering: .relaxed)
    }

    /// Returns the last `count % 8` bytes as the low bytes of a word, without reading beyond them.
    @inline(__always)
    private static func tail(_ bytes: UnsafeRawPointer, count: Int) -> UInt64 {
        let size = count & 7
        guard count < 8 else {
            let last = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
            return last &>> UInt64(64 &- 8 &* size)
        }
        var word: UInt64 = 0
        for offset in 0..<size { unsafe word |= UInt64(bytes.byte(offset)) &<< UInt64(8 &* offset) }
        return word
    }

    /// Copies the first `count` bytes, rounded up to whole words, to a place with room for up to 7 more bytes.
    @inline(__always)
    func copy(to place: UnsafeMutableRawPointer, count: Int) {
        precondition(count <= Self.capacity, "more bytes than there are")
        for index in 0..<(count &+ 7) &>> 3 {
            let word = words[index].load(ordering: .relaxed)
            unsafe place.storeBytes(of: word.littleEndian, toByteOffset: index &* 8, as: UInt64.self)
        }
    }
}
