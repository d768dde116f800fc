#if DiskCache
import SockeyeCore

/// A range of a stored body, block by block. Each block is read and verified only when the reader requests it, so that
/// a large body is never in memory as a whole.
struct StoredContent: AsyncSequence, Sendable {
    typealias Element = Bytes
    typealias Failure = any Error

    let body: StoredBody
    /// The first block of the body, which was read when the body was opened.
    let first: Bytes
    let range: Range<Int>
    /// Called if a block is damaged or cannot be read; removes the entry.
    let damaged: @Sendable () -> Void

    func makeAsyncIterator() -> Iterator {
        Iterator(body: body, first: first, position: range.lowerBound, end: range.upperBound, damaged: damaged)
    }

    struct Iterator: AsyncIteratorProtocol {
        let body: StoredBody
        var first: Bytes?
        var position: Int
        let end: Int
        let damaged: @Sendable () -> Void

        mutating func next() async throws -> Bytes? {
            guard position < end else { return nil }
            let number = BlockLayout.block(of: position)
            let whole = body.layout.content(of: number)
            let part = (position..<end).clamped(to: whole)
            let block = try await content(of: number)
            position = part.upperBound
            return block.slice(part.lowerBound - whole.lowerBound..<part.upperBound - whole.lowerBound)
        }

        private mutating func content(of number: Int) async throws -> Bytes {
            defer { first = nil }
            if number == 0, let first { return first }
            do {
                return try await body.content(of: number)
            } catch {
                if StoredBody.isLoss(error) { damaged() }
                throw error
            }
        }
    }
}
#endif
