import SockeyeCore

/// Content in memory: an append-only list of pieces. Each piece is in a block of about its own size, so that the
/// counted bytes match the memory in use.
struct StoredPieces {
    private(set) var pieces: [Bytes] = []
    private(set) var count = 0
    /// The block into which small pieces are copied.
    private var small = BytesAccumulator(expected: nil)

    /// The size in bytes below which pieces are joined.
    private static let joinThreshold = 16 << 10

    mutating func append(_ piece: Bytes) {
        count += piece.count
        guard piece.count < Self.joinThreshold else {
            close()
            pieces.append(piece.fitted)
            return
        }
        small.append(piece)
        if small.count >= Self.joinThreshold { close() }
    }

    /// Completes the block of small pieces.
    mutating func close() {
        guard small.count > 0 else { return }
        pieces.append(small.finish().fitted)
    }
}

extension Bytes {
    /// These bytes, copied if their block is more than a quarter larger than they are.
    fileprivate var fitted: Bytes {
        guard let storage, storage.byteCapacity - count > count / 4 else { return self }
        return compacted()
    }
}
