import SockeyeCore

/// The pieces of a response body, pulled one at a time by whoever sends them.
protocol PieceSource: AnyObject {
    func next() async throws -> Bytes?
}

/// The elements of any sequence of byte collections.
final class SequenceSource<Chunks: AsyncSequence>: PieceSource where Chunks.Element: Collection<UInt8> {
    private var iterator: Chunks.AsyncIterator

    init(_ chunks: Chunks) {
        iterator = chunks.makeAsyncIterator()
    }

    func next() async throws -> Bytes? {
        guard let chunk = try await iterator.next(isolation: #isolation) else { return nil }
        return chunk as? Bytes ?? Bytes(chunk)
    }
}

/// The bytes of ``TestPattern`` up to a length, or without end.
final class PatternSource: PieceSource {
    private let length: Int
    private var sent = 0

    init(length: Int?) {
        self.length = length ?? .max
    }

    func next() async throws -> Bytes? {
        guard sent < length else { return nil }
        let piece = TestPattern.bytes(at: sent, upTo: length - sent)
        sent += piece.count
        return piece
    }
}
