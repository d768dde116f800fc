package import SockeyeCore
package import SockeyeNet

/// The received but unconsumed bytes of a connection.
///
/// Most bytes are not copied: the consumer gets slices of the block that the bytes were received into. If no slice of
/// the block is in use, the block is refilled from its start. A consumer that releases each slice before the next read
/// thus gets a gigabyte through one block, which stays in the processor's cache. If slices are in use, the block is
/// filled further after them. A consumer that keeps all slices thus needs little more memory than their bytes take.
///
/// A slice of a few bytes would hold its large block in memory as long as the consumer keeps the slice. So small slices
/// are copied instead (``kept(_:)``).
// `@unchecked Sendable`: only the value that owns the block writes to it, and only to bytes that no slice refers to.
// If `isKnownUniquelyReferenced` proves that there are no slices, these bytes are the entire block. If not, they are
// the part after `end`. If the buffer is copied, only one of the two copies may be used. Otherwise both could write to
// the same part of the block.
package struct ReceiveBuffer: @unchecked Sendable {
    private var storage: ByteStorage?
    /// The offset of the first unconsumed byte in the block.
    private var start = 0
    /// The offset after the last received byte in the block.
    private var end = 0
    /// The size of the next block. Grows while the peer fills whole blocks, and shrinks while they stay nearly empty.
    private var target: Int
    /// True if the last read brought fewer bytes than there was room for. For a socket this means that it was drained
    /// (epoll(7), Questions and answers 9).
    private(set) var isShort = false
    /// The number of consecutive scant reads, which each brought less than a sixteenth of the block's size.
    private var scantReads: UInt8 = 0

    /// The size of the first block: a head and a small body fit into one allocation.
    static let headSize = 4 * 1024 - 64
    /// The largest block that is chosen from the sizes of past reads alone.
    static let largest = 256 * 1024
    /// The largest block for bytes that are certain to come. It has room for several loopback packets beyond the bytes
    /// that ``ReadLowWaterMark`` waits for, so that one read also takes packets that arrive after the wait.
    static let largestExpected = 512 * 1024
    /// The largest size of a piece that ``kept(_:)`` copies.
    private static let copiedSize = 512
    /// The number of scant reads after which the next block is smaller.
    private static let scantReadLimit: UInt8 = 16

    package init() {
        target = Self.headSize
    }

    var isEmpty: Bool { start == end }
    package var count: Int { end - start }

    /// The unconsumed bytes, sharing the block.
    package var bytes: Bytes {
        guard let storage, start < end else { return Bytes() }
        return Bytes(storage: storage, offset: start, count: end - start)
    }

    /// Calls `body` with the unconsumed bytes, without retaining their block.
    func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let storage, start < end else { return try body(Span()) }
        return try storage.withSpan(start..<end, body)
    }

    /// A slice of the unconsumed bytes; the range counts from their start.
    func slice(_ range: Range<Int>) -> Bytes {
        guard let storage, !range.isEmpty else { return Bytes() }
        return Bytes(storage: storage, offset: start + range.lowerBound, count: range.count)
    }

    /// Returns a piece for a consumer that may keep it for long: a small piece of a much larger block is copied.
    package static func kept(_ piece: Bytes) -> Bytes {
        piece.compacted(upTo: copiedSize)
    }

    package mutating func consume(_ count: Int) {
        start += count
    }

    /// Chooses the size of the next blocks from the number of bytes that are certain to come; nil if that number is
    /// unknown.
    mutating func expect(_ count: Int?) {
        guard let count else {
            target = max(target, 16 * 1024)
            return
        }
        // 64 bytes more for the framing, such as the end of a chunk, so that the framing needs no further read. The
        // count comes from the peer. It is bounded before the addition, because the sum could overflow.
        target = max(1024, min(Self.largestExpected - 64, count) + 64)
    }

    /// Receives more bytes after the unconsumed ones.
    package mutating func fill(from stream: any ByteStream) -> Transfer {
        makeRoom()
        guard let storage else { return .failed(.closed) }
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: storage.mutableBytes[end...])
        let transfer = unsafe stream.read(into: free)
        if case .bytes(let count) = transfer {
            end += count
            isShort = count < free.count
            note(count, of: free.count, in: storage.byteCapacity)
        }
        return transfer
    }

    /// Adapts the size of the next blocks to the result of a read.
    private mutating func note(_ count: Int, of free: Int, in capacity: Int) {
        guard count < capacity / 16 else {
            scantReads = 0
            // If slices in use leave only a small part of the block free, a read that fills it tells little about the
            // traffic.
            if count == free, count >= target / 2 {
                target = max(target, min(Self.largest, max(target, free) * 2))
            }
            return
        }
        scantReads &+= 1
        guard scantReads >= Self.scantReadLimit else { return }
        scantReads = 0
        if target > Self.headSize { target = max(Self.headSize, target / 4) }
    }

    private mutating func makeRoom() {
        if start == end {
            let isUnshared = isKnownUniquelyReferenced(&storage)
            if reuseBlock(isUnshared: isUnshared) { return }
            storage = .allocate(capacity: target)
            start = 0
            end = 0
        } else if let full = storage, end == full.byteCapacity {
            // Incomplete data reaches the end of the block: move it to the start of a block with room for at least as
            // much again.
            let larger = ByteStorage.allocate(capacity: max(target, count * 2))
            unsafe larger.mutableBytes.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: full.mutableBytes[start..<end]))
            end = count
            start = 0
            storage = larger
        }
    }

    /// Prepares to fill the block again: from its start if no slice of it is in use, otherwise after the slices.
    /// Returns false if the size of the block is unsuitable or too little of the block is free.
    private mutating func reuseBlock(isUnshared: Bool) -> Bool {
        guard let capacity = storage?.byteCapacity, capacity >= target else { return false }
        if isUnshared {
            start = 0
            end = 0
            return capacity <= 8 * target
        }
        return capacity - end >= min(target, capacity / 4)
    }
}
