/// An asynchronous sequence that repeats a chunk, with a shorter one at the end: an upload that costs its producer
/// nothing.
package struct RepeatedChunks<Chunk: Sendable>: AsyncSequence, Sendable {
    package typealias Element = Chunk

    private let whole: Chunk
    private let count: Int
    private let last: Chunk?

    /// Makes a sequence of `bytes` bytes; `make` makes a chunk of a given size.
    package init(bytes: Int, chunk: Int = ClientOptions.uploadChunk, make: (Int) -> Chunk) {
        whole = make(chunk)
        count = bytes / chunk
        last = bytes % chunk == 0 ? nil : make(bytes % chunk)
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let chunks: RepeatedChunks
        private var position = 0

        fileprivate init(_ chunks: RepeatedChunks) { self.chunks = chunks }

        package mutating func next() async -> Chunk? {
            defer { position += 1 }
            if position < chunks.count { return chunks.whole }
            return position == chunks.count ? chunks.last : nil
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
