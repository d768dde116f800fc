#if DiskCache
import Sockeye
import SockeyeCore
import SockeyeHTTP
import Synchronization

/// Takes content on its way to the disk: collects blocks and seals them, which a thread for the disk then writes while the next
/// ones are collected and sealed (write-behind). No more than six are in memory, and whoever writes waits for the disk
/// (backpressure).
final class DiskCacheWriter: CachePolicy.Writer {
    /// There is nothing to write to any more.
    struct Ended: Error {}
    /// The content is larger than one response may be.
    struct TooLarge: Error {}

    /// What was written so far.
    // `@unchecked Sendable`: the block that is being filled has one owner, whoever took this out from under the lock.
    private struct Progress: @unchecked Sendable {
        var length = 0
        var block = DiskCacheWriter.emptyBlock(expected: nil)
        /// How many blocks were sealed.
        var blocks = 0
        /// Those that were not handed to the disk yet.
        var sealed: [SealedBlock] = []
        /// Nil as long as the first block has not been written.
        var file: UncommittedBody?
        /// What is being written.
        var pending: [DiskTask<UncommittedBody>] = []

        /// Waits until no more than so many writes are under way.
        mutating func wait(untilPending count: Int) async throws {
            while pending.count > count { file = try await pending.removeFirst().value }
        }
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

    /// How many writes are under way at once: with the next one at hand no thread for the disk goes to sleep in between.
    private static let depth = 2
    /// How many blocks a write takes, since changing threads costs as much as writing some ten kilobytes.
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
        progress.sealed.append(
            try SealedBlock(progress.block.finish(), number: progress.blocks, id: response.id))
        progress.blocks += 1
        progress.block = Self.emptyBlock(expected: BlockLayout.blockSize)
        guard progress.sealed.count == Self.blocksAtOnce else { return }
        let blocks = progress.sealed
        progress.sealed = []
        // The first ones make the file.
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
                progress.sealed.append(try SealedBlock(rest, number: progress.blocks, id: response.id))
            }
            content = .blocks(progress.sealed, progress.file)
        } else {
            content = .inline(rest)
        }
        let isStored = try await store.folder.perform { [store, ticket, response] in
            try Self.store(response, content, ticket, store)
        }
        if !isStored { throw Ended() }
    }

    /// What is left to write at the end.
    private enum Unwritten: Sendable {
        /// Content that goes into the index.
        case inline(Bytes)
        case blocks([SealedBlock], UncommittedBody?)
    }

    /// Blocks.
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
        // The file goes with its last reference.
        progress.withLock { $0 = nil }
    }
}
#endif
