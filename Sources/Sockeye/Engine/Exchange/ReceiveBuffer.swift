import SockeyeCore
import SockeyeTransport

/// The bytes of a connection that were received and not consumed yet.
///
/// Nothing is copied on the way to the caller: what is handed out are slices of the block that was received into. A
/// block is filled again only when nobody holds a slice of it any more, which a consumer that lets go of each chunk makes
/// the common case; so a gigabyte passes through one block that stays in the processor's cache.
// `@unchecked Sendable`: the block is written only by the value that owns it and only while no slice of it is out, which
// `isKnownUniquelyReferenced` proves; the value itself has one owner at a time, as every struct.
struct ReceiveBuffer: @unchecked Sendable {
    private var storage: ByteStorage?
    private var start = 0
    private var end = 0
    /// The size of the next block. Grows while the peer fills whole blocks.
    private var target: Int

    /// A head and a small body fit into this with one allocation.
    static let headSize = 4 * 1024 - 64
    static let largest = 256 * 1024

    init() {
        target = Self.headSize
    }

    var isEmpty: Bool { start == end }
    var count: Int { end - start }

    /// The unconsumed bytes, sharing the block.
    var bytes: Bytes {
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

    mutating func consume(_ count: Int) {
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
        // Some room for what frames the content, so that it does not take a read of its own.
        target = min(Self.largest, max(1024, count + 64))
    }

    /// Receives more, behind what is there.
    mutating func fill(from stream: any ByteStream) -> Transfer {
        makeRoom()
        guard let storage else { return .failed(.closed) }
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: storage.mutableBytes[end...])
        let transfer = unsafe stream.read(into: free)
        if case .bytes(let count) = transfer {
            end += count
            if count == free.count { target = min(Self.largest, max(target, free.count) * 2) }
        }
        return transfer
    }

    private mutating func makeRoom() {
        if start == end {
            // Everything was consumed: the same block again, if it is ours alone and not much smaller than wanted.
            if storage != nil, isKnownUniquelyReferenced(&storage), storage!.byteCapacity >= target {
                start = 0
                end = 0
                return
            }
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
}
