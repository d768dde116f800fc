import SockeyeCore

/// The output buffer of zlib, handed out in pieces and reused as soon as no piece refers to it.
///
/// Starts small, for the many small bodies, and grows to 64 KiB once a body turns out to be larger than that.
struct OutputBlock {
    static let firstCapacity = 8 << 10
    static let capacity = 64 << 10

    private var storage: ByteStorage?
    private var nextCapacity = Self.firstCapacity
    private(set) var filled = 0

    /// The memory to write to next; empty once the piece is full.
    mutating func space() -> UnsafeMutableRawBufferPointer {
        if filled == 0 { renew() }
        guard let storage else { return unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0) }
        return unsafe UnsafeMutableRawBufferPointer(rebasing: storage.mutableBytes[filled...])
    }

    mutating func advance(by count: Int) {
        filled += count
    }

    /// What was written since the last call; nil when that is nothing.
    mutating func take() -> Bytes? {
        guard filled > 0, let storage else { return nil }
        defer { filled = 0 }
        if filled == storage.byteCapacity { nextCapacity = Self.capacity }
        // A small piece is copied: it would pin a whole block for as long as its receiver keeps it.
        guard filled >= storage.byteCapacity / 4 else {
            return unsafe Bytes(
                copying: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage.mutableBytes)[..<filled]))
        }
        return Bytes(storage: storage, offset: 0, count: filled)
    }

    mutating func release() {
        storage = nil
        filled = 0
    }

    private mutating func renew() {
        if storage?.byteCapacity == nextCapacity, isKnownUniquelyReferenced(&storage) { return }
        storage = ByteStorage.allocate(capacity: nextCapacity)
    }
}

extension Bytes {
    /// All parts in one block of exactly their size.
    init(joining parts: [Bytes]) {
        unsafe self.init(count: parts.reduce(0) { $0 + $1.count }) { target in
            var offset = 0
            for part in parts {
                unsafe part.withUnsafeBytes {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: $0)
                }
                offset += part.count
            }
        }
    }

    /// Both in one block: for the rare chunk that comes before the last one was used up.
    func appending(_ other: Bytes) -> Bytes {
        Bytes(joining: [self, other])
    }
}
