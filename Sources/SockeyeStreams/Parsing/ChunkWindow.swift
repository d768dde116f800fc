import SockeyeCore

/// A chunk of input that a parser reads in windows of limited length. Between two windows, other tasks can run.
struct ChunkWindow: Sendable {
    private let length: Int
    private(set) var chunk = Bytes()
    /// The position of the next byte in the chunk. A parser also reads the rest of a line that begins in the window, so
    /// the position may be after ``end``.
    var position = 0
    /// The position in the chunk at which the window ends.
    private(set) var end = 0

    /// - Parameter length: The number of bytes of a window.
    init(length: Int) {
        self.length = length
    }

    /// Makes `bytes` the new chunk and begins its first window. The previous chunk must be used up.
    mutating func append(_ bytes: Bytes) {
        precondition(position == chunk.count, "a chunk was added before the previous one was used up")
        chunk = bytes
        (position, end) = (0, min(length, bytes.count))
    }

    /// Begins the next window of the chunk; returns false if the chunk is used up.
    mutating func advance() -> Bool {
        guard position < chunk.count else { return false }
        end = position + min(length, chunk.count - position)
        return true
    }
}
