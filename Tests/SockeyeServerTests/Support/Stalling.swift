import Sockeye

/// A body that yields one piece and then stalls without ending.
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
