import NIOCore
import NIOFileSystem

/// A sequence of a text, the chunks of a file and another text.
struct Framed: AsyncSequence, Sendable {
    let head: ByteBuffer
    let chunks: FileChunks
    let tail: ByteBuffer

    func makeAsyncIterator() -> Iterator {
        Iterator(head: head, chunks: chunks.makeAsyncIterator(), tail: tail)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var head: ByteBuffer?
        fileprivate var chunks: FileChunks.AsyncIterator
        fileprivate var tail: ByteBuffer?

        @concurrent mutating func next() async throws -> ByteBuffer? {
            if let head {
                self.head = nil
                return head
            }
            if let chunk = try await chunks.next() { return chunk }
            defer { tail = nil }
            return tail
        }
    }
}
