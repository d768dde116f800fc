#if DiskCache
import Sockeye
import SockeyeCache
import SockeyeCore
import SockeyeHTTP
import Synchronization

/// Writes the content of a response to the disk. It collects content into blocks with checksums, and a disk thread
/// writes them while the next blocks are collected (write-behind). If six blocks are in memory, four of them in writes
/// under way, the caller waits for the disk (backpressure).
final class DiskCacheWriter: CachePolicy.Writer {
    /// The write was committed or abandoned, its ticket was revoked (see ``WriteTickets``), or an earlier call has
    /// failed.
    struct Ended: Error {}
    /// The content exceeds the limit for one response.
    struct TooLarge: Error {}

    /// The content that is not written yet, and the writes under way.
    // `@unchecked Sendable`: the block that is being filled has one owner, the task that took this value out of
    // `progress`.
    private struct Progress: @unchecked Sendable {
        /// The number of bytes of content so far.
        var length = 0
        /// The block that is being filled.
        var block = DiskCacheWriter.emptyBlock(expected: nil)
        /// The number of finished blocks.
        var blocks = 0
        /// Finished blocks that were not handed to the disk yet.
        var finished: [ChecksummedBlock] = []
        /// The body's file; nil until the first write has ended.
        var file: UncommittedBody?
        /// The writes under way.
        var pending: [DiskTask<UncommittedBody>] = []

        /// Waits until at most `count` writes are under way.
        mutating func wait(untilPending count: Int) async throws {
            while pending.count > count { file = try await pending.removeFirst().value }
        }
    }

    private let response: CachedResponse
    private let ticket: WriteTickets.Ticket
    private let store: DiskCacheStore
    /// The progress; nil while a call works on it, after a commit or `abandon`, and after an error. A call takes the
    /// value out, so that it does not hold the lock while it copies content or waits for the disk.
    private let progress: Mutex<Progress?>

    init(_ response: CachedResponse, _ ticket: WriteTickets.Ticket, _ store: DiskCacheStore) {
        self.response = response
        self.ticket = ticket
        self.store = store
        var progress = Progress()
        progress.block = Self.emptyBlock(expected: response.headers[.contentLength].flatMap(Int.init))
        self.progress = Mutex(progress)
    }

    deinit {
        abandon()
    }

    /// The maximum number of writes under way. While the disk thread performs one write, the next write is queued, so
    /// that the thread does not sleep between them.
    private static let depth = 2
    /// The number of blocks per write. More than one, because switching threads costs as much as writing some tens of
    /// kilobytes.
    private static let blocksAtOnce = 2

    private static func emptyBlock(expected: Int?) -> BytesAccumulator {
        BytesAccumulator(expected: expected.map { min($0, BlockLayout.blockSize) })
    }

    func write(_ piece: Bytes) async throws {
        guard var progress = progress.withLock({ $0.take() }) else { throw Ended() }
        guard piece.count <= store.entryLimit - progress.length else { throw TooLarge() }
        var rest = piece
        while !rest.isEmpty {
            let count = min(rest.count, BlockLayout.blockSize - progress.block.count)
            progress.block.append(rest.slice(0..<count))
            progress.length += count
            rest = rest.slice(count..<rest.count)
            if progress.block.count == BlockLayout.blockSize { try await writeBlock(of: &progress) }
        }
        let isEnded = !store.tickets.withLock { $0.isValid(ticket) }
        if isEnded { throw Ended() }
        self.progress.withLock { $0 = progress }
    }

    private func writeBlock(of progress: inout Progress) async throws {
        progress.finished.append(
            try ChecksummedBlock(progress.block.finish(), number: progress.blocks, id: response.id))
        progress.blocks += 1
        progress.block = Self.emptyBlock(expected: BlockLayout.blockSize)
        guard progress.finished.count == Self.blocksAtOnce else { return }
        let blocks = progress.finished
        progress.finished = []
        // The second write waits until the first has ended, because the first creates the file.
        try await progress.wait(untilPending: progress.file == nil ? 0 : Self.depth - 1)
        let (folder, known) = (store.folder, progress.file)
        progress.pending.append(
            DiskTask {
                try await folder.perform {
                    let file = try known ?? UncommittedBody(in: folder)
                    for block in blocks { try file.write(block) }
                    return file
                }
            })
    }

    func commit() async throws {
        guard var progress = progress.withLock({ $0.take() }) else { throw Ended() }
        try await progress.wait(untilPending: 0)
        var response = response
        response.bodyLength = progress.length
        let rest = progress.block.finish()
        let content: Unwritten
        if progress.blocks > 0 || rest.count > CacheIndex.inlineLimit {
            if !rest.isEmpty {
                progress.finished.append(try ChecksummedBlock(rest, number: progress.blocks, id: response.id))
            }
            content = .blocks(progress.finished, progress.file)
        } else {
            content = .inline(rest)
        }
        let isStored = try await store.folder.perform { [store, ticket, response] in
            try Self.store(response, content, ticket, store)
        }
        if !isStored { throw Ended() }
    }

    /// The content that is not written yet when the response is complete.
    private enum Unwritten: Sendable {
        /// Content that is stored in the index.
        case inline(Bytes)
        /// The blocks that are not written yet, and the file with the earlier blocks; nil if no block was written.
        case blocks([ChecksummedBlock], UncommittedBody?)
    }

    /// Writes the rest of the content and creates the entry. Returns false if the write was abandoned or revoked.
    /// Must run on a disk thread, because it waits for the disk.
    private static func store(
        _ response: CachedResponse, _ unwritten: Unwritten, _ ticket: WriteTickets.Ticket, _ store: DiskCacheStore
    ) throws -> Bool {
        var file: UncommittedBody?
        let content: NewEntry.Content
        switch unwritten {
        case .inline(let bytes): content = .inline(bytes)
        case .blocks(let blocks, let begun):
            let body = try begun ?? UncommittedBody(in: store.folder)
            for block in blocks { try body.write(block) }
            content = .file(body.name, try body.synchronize())
            file = body
        }
        let isStored = try store.insert(
            NewEntry(response: response, key: ticket.key, content: content), by: ticket)
        guard isStored else { return false }
        file?.keep()
        if store.tickets.withLock({ $0.end(ticket) }) { return true }
        store.withdraw(response, ticket.key)
        return false
    }

    func abandon() {
        store.tickets.withLock { _ = $0.end(ticket) }
        // The file is removed when the last reference to its `UncommittedBody` is released.
        progress.withLock { $0 = nil }
    }
}
#endif
