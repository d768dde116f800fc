import Sockeye

/// A body of which one piece comes, and then neither more nor the end.
struct Stalling: AsyncSequence, Sendable {
    typealias Element = Bytes
    typealias Failure = any Error

    let piece: Bytes

    func makeAsyncIterator() -> Iterator { Iterator(piece: piece) }

    struct Iterator: AsyncIteratorProtocol {
        var piece: Bytes?

        mutating func next() async throws -> Bytes? {
            if let piece = piece.take() { return piece }
            try await Task.sleep(for: .seconds(3600))  // until it is cancelled
            return nil
        }
    }
}
