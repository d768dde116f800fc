import SockeyeTesting
import Synchronization

/// A body of any length that is made when it is asked for, and how much of it was.
final class PatternSource: Sendable {
    let length: Int
    private let position = Atomic(0)

    init(length: Int) { self.length = length }

    /// How many bytes have been asked for.
    var sent: Int { position.load(ordering: .relaxed) }

    /// The body, once.
    var chunks: AsyncStream<Bytes> {
        AsyncStream { [self] in
            let offset = sent
            guard offset < length else { return nil }
            let chunk = TestPattern.bytes(at: offset, upTo: min(64 << 10, length - offset))
            position.store(offset + chunk.count, ordering: .relaxed)
            return chunk
        }
    }
}
