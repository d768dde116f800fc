package import SockeyeCore
package import SockeyeNet

/// The bytes of a connection that were received and not consumed yet.
///
/// Nothing is copied on the way to the caller: what is handed out are slices of the block that was received into. A
/// block is filled again from its start only when nobody holds a slice of it any more, which a consumer that lets go of
/// each chunk makes the common case; so a gigabyte passes through one block that stays in the processor's cache. While
/// somebody does, it is filled on behind the slices: a consumer that keeps them all keeps hardly more memory than bytes.
///
/// Whoever keeps a few bytes out of a large block would keep that, so the few are copied (``kept(_:)``), and blocks
/// become smaller again with the traffic.
// `@unchecked Sendable`: the block is written only by the value that owns it, and there only what no slice refers to: all
// of it while none is out, which `isKnownUniquelyReferenced` proves, else only what is behind `end`. The value itself has
// one owner at a time, as every struct.
package struct ReceiveBuffer: @unchecked Sendable {
    private var storage: ByteStorage?
    private var start = 0
    private var end = 0
    /// The size of the next block. Grows while the peer fills whole blocks, and shrinks when they stay all but empty.
    private var target: Int
    /// Whether the last read brought fewer bytes than there was room for: of a socket, all that it had (epoll(7), Questions
    /// and answers 9).
    private(set) var isShort = false
    /// How many reads in a row brought next to nothing for the size of the block.
    private var scantReads: UInt8 = 0

    /// A head and a small body fit into this with one allocation.
    static let headSize = 4 * 1024 - 64
    /// The largest block that traffic alone makes.
    static let largest = 256 * 1024
    /// The largest for bytes that are certain to come: with room for several packets of loopback behind those that
    /// ``ReadLowWaterMark`` waits for.
    static let largestExpected = 512 * 1024
    /// Pieces up to this size are copied rather than hold their block.
    private static let copiedSize = 512
    /// After so many scant reads the next block is smaller.
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

    /// Lends the unconsumed bytes without counting a reference.
    func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let storage, start < end else { return try body(Span()) }
        return try storage.withSpan(start..<end, body)
    }

    /// A slice of the unconsumed bytes, counted from their start.
    func slice(_ range: Range<Int>) -> Bytes {
        guard let storage, !range.isEmpty else { return Bytes() }
        return Bytes(storage: storage, offset: start + range.lowerBound, count: range.count)
    }

    /// A piece that its consumer may keep for long: a small one is copied.
    package static func kept(_ piece: Bytes) -> Bytes {
        piece.compacted(upTo: copiedSize)
    }

    package mutating func consume(_ count: Int) {
        start += count
    }

    /// Lets go of the block; for when the rest of it was handed out.
    mutating func reset() {
        storage = nil
        start = 0
        end = 0
    }

    /// Chooses the size of the blocks that follow, given how much is certain to come.
    mutating func expect(_ count: Int?) {
        guard let count else {
            target = max(target, 16 * 1024)
            return
        }
        // Room for the framing as well, which else would take a read of its own.
        // The count is the peer's, so it is bounded before anything is added to it.
        target = max(1024, min(Self.largestExpected - 64, count) + 64)
    }

    /// Receives more, behind what is there.
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

    /// Adapts the size of the blocks that follow to a read.
    private mutating func note(_ count: Int, of free: Int, in capacity: Int) {
        guard count < capacity / 16 else {
            scantReads = 0
            // What fills the rest of a block that others hold slices of tells little.
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
            // Everything was consumed: the same block again, if it is ours alone and about as large as wanted.
            let isOurs = isKnownUniquelyReferenced(&storage)
            if canGoOn(isOurs) { return }
            storage = .allocate(capacity: target)
            start = 0
            end = 0
        } else if let full = storage, end == full.byteCapacity {
            // Something incomplete fills the block to its end: a larger one, with that at its start.
            let larger = ByteStorage.allocate(capacity: max(target, count * 2))
            unsafe larger.mutableBytes.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: full.mutableBytes[start..<end]))
            end = count
            start = 0
            storage = larger
        }
    }

    /// Whether the block is to be filled further, from its start if it is ours alone.
    private mutating func canGoOn(_ isOurs: Bool) -> Bool {
        guard let capacity = storage?.byteCapacity, capacity >= target else { return false }
        if isOurs {
            start = 0
            end = 0
            return capacity <= 8 * target
        }
        return capacity - end >= min(target, capacity / 4)
    }
}
