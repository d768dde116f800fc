#if DiskCache
import Sockeye
import SockeyeCore
import SockeyeHTTP
import Synchronization

/// Takes content on its way to the disk: collects a block, which a thread for the disk then seals and writes. No more than
/// one block is in memory, and whoever writes waits for the disk (backpressure).
final class DiskCacheWriter: CacheWriter {
    /// There is nothing to write to any more.
    struct Ended: Error {}
    /// The content is larger than one response may be.
    struct TooLarge: Error {}

    /// What was written so far.
    // `@unchecked Sendable`: the block that is being filled has one owner, whoever took this out from under the lock.
    private struct Progress: @unchecked Sendable {
        var length = 0
        var block = DiskCacheWriter.emptyBlock(expected: nil)
        /// Blocks that are in the file.
        var blocks = 0
        /// Nil as long as all fits into the first block.
        var file: UncommittedBody?
    }

    private let response: CachedResponse
    private let ticket: WriteTickets.Ticket
    private let store: DiskCacheStore
    /// Taken out by whoever works on it, so that nothing is copied under the lock; nil at the end.
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
        let (bytes, number, file) = (progress.block.finish(), progress.blocks, progress.file)
        progress.block = Self.emptyBlock(expected: BlockLayout.blockSize)
        let (folder, id) = (store.folder, response.id)
        progress.file = try await folder.perform {
            let file = try file ?? UncommittedBody(in: folder)
            try file.write(bytes, block: number, id: id)
            return file
        }
        progress.blocks += 1
    }

    func commit() async throws {
        guard var progress = progress.withLock({ $0.take() }) else { throw Ended() }
        var response = response
        response.bodyLength = progress.length
        let (rest, number, file) = (progress.block.finish(), progress.blocks, progress.file)
        let isStored = try await store.folder.perform { [store, ticket, response] in
            try Self.store(response, rest, block: number, file, ticket, store)
        }
        if !isStored { throw Ended() }
    }

    /// Blocks.
    private static func store(
        _ response: CachedResponse, _ rest: Bytes, block: Int, _ file: UncommittedBody?,
        _ ticket: WriteTickets.Ticket, _ store: DiskCacheStore
    ) throws -> Bool {
        var file = file
        if file != nil || rest.count > CacheIndex.inlineLimit {
            file = try file ?? UncommittedBody(in: store.folder)
            if !rest.isEmpty { try file?.write(rest, block: block, id: response.id) }
        }
        let content: NewEntry.Content =
            if let file { .file(file.name, try file.synchronize()) } else { .inline(rest) }
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
        // The file goes with its last reference.
        progress.withLock { $0 = nil }
    }
}
#endif
