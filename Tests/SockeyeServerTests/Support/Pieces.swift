import Sockeye

/// A body in pieces, as an asynchronous sequence that never waits.
struct Pieces: AsyncSequence, Sendable {
    typealias Element = Bytes
    typealias Failure = Never

    let pieces: [Bytes]

    init(_ pieces: [Bytes]) {
        self.pieces = pieces
    }

    /// Splits `bytes` into pieces of uneven sizes.
    init(cutting bytes: Bytes) {
        var pieces: [Bytes] = []
        var offset = 0
        var size = 1
        while offset < bytes.count {
            let count = Swift.min(size, bytes.count - offset)
            pieces.append(bytes.slice(offset..<offset + count))
            offset += count
            size = size * 3 % 100_003 + 1
        }
        self.pieces = pieces
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: pieces[...]) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Bytes>

        mutating func next() async -> Bytes? { rest.popFirst() }
    }
}
