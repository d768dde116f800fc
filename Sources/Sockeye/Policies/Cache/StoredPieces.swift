import SockeyeCore

/// Content in memory: an append-only list of pieces, each in a block of about its own size, so that what is counted is what
/// is held.
struct StoredPieces {
    private(set) var pieces: [Bytes] = []
    private(set) var count = 0
    /// A block that small pieces are copied into, with room for more.
    private var small = BytesAccumulator(expected: nil)

    /// Pieces below this are joined.
    private static let jointSize = 16 << 10

    mutating func append(_ piece: Bytes) {
        count += piece.count
        guard piece.count < Self.jointSize else {
            close()
            pieces.append(piece.fitted)
            return
        }
        small.append(piece)
        if small.count >= Self.jointSize { close() }
    }

    /// Ends the block of small pieces.
    mutating func close() {
        guard small.count > 0 else { return }
        pieces.append(small.finish().fitted)
    }
}

extension Bytes {
    /// The same bytes, copied if the block that they keep is a quarter larger than they are.
    fileprivate var fitted: Bytes {
        guard let storage, storage.byteCapacity - count > count / 4 else { return self }
        return compacted()
    }
}
