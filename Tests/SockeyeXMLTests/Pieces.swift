#if XML
/// A body in pieces.
struct Pieces: AsyncSequence, Sendable {
    let pieces: [[UInt8]]

    init(_ pieces: [[UInt8]]) {
        self.pieces = pieces
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>

        mutating func next() async -> [UInt8]? { rest.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: pieces[...]) }
}

/// One piece repeated, between a first and a last one.
struct Repeated: AsyncSequence, Sendable {
    let first: [UInt8]
    let piece: [UInt8]
    let count: Int
    let last: [UInt8]

    struct AsyncIterator: AsyncIteratorProtocol {
        let pieces: Repeated
        var index = -1

        mutating func next() async -> [UInt8]? {
            defer { index += 1 }
            if index < 0 { return pieces.first }
            return index < pieces.count ? pieces.piece : index == pieces.count ? pieces.last : nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self) }
}
#endif
