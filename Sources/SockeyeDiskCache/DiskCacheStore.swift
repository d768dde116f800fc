#if DiskCache
import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP
import Synchronization

/// A `CachePolicy.Store` on disk: an LRU cache bounded by bytes and by entries, which outlives the process.
///
/// ```swift
/// let store = try DiskCacheStore(at: "/var/cache/app/http", limit: 1 << 30)
/// let client = HTTPClient().adding(.cache(store))
/// ```
///
/// Heads and content of up to 64 KiB are in an SQLite database, larger content is in files of its own beside it, which are
/// written and read in blocks of 256 KiB. No content is copied under a lock, and what blocks is done by threads for the disk.
///
/// **Whole or not at all.** A response becomes visible by one transaction, after its content was brought to the disk (fsync(2)).
/// A process or machine that dies leaves no part of one in sight; what it had begun is removed when the folder is opened next.
///
/// **Verified.** Each head and each block has a SHA-256 with it. A file that is shorter, longer, changed, or another one is
/// noticed before the first byte is served: it is a miss, and removed. What changes after that, while it is served, ends the
/// response with an error and never with wrong bytes. A damaged database is made anew, empty.
///
/// **Errors.** Nothing that the disk does fails a call: a disk that is full stores nothing, one that cannot be read is a miss.
///
/// **One store has the folder.** A second one, in this process or another, is refused. Any number of clients may share it.
/// It has to be on a local file system: SQLite's write-ahead log does not work over a network.
///
/// **Who can read it.** Files have mode 0600, folders that are made 0700. Content is not encrypted.
public final class DiskCacheStore: CachePolicy.Store {
    private struct State {
        /// Nil once it is closed, and while there is none because the last one was damaged.
        var index: CacheIndex?
        /// The folder's, while no index has it.
        var lock: FileHandle?
        var isClosed = false
        /// How many disk threads are making the database anew; they hold the lock of the folder meanwhile.
        var rebuilds = 0
        /// Callers of ``close()`` that wait for the rebuilds to end.
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    /// The store was closed.
    struct Closed: Error {}

    /// The bytes that all responses have at most: content and heads, each rounded up to pages of 4 KiB. The least recently used
    /// go first. On disk come on top: SQLite's log (some MiB), pages that are free for a while (an eighth of this, at least
    /// 4 MiB), and what is being stored, each up to ``entryLimit``.
    public let limit: Int
    /// The bytes of content that one response has at most. Larger ones are not stored.
    public let entryLimit: Int
    /// The responses that are stored at most.
    public let countLimit: Int

    let folder: CacheFolder
    let tickets = Mutex(WriteTickets())
    private let state: Mutex<State>

    /// Opens the store in a folder, which is made where there is none. Blocks until what a killed process left is removed, and
    /// the names of all bodies were read.
    ///
    /// - Parameters:
    ///   - path: The folder. One that is there must belong to this user, and nobody else may write to it.
    ///   - limit: The bytes in all, such as `1 << 30`.
    ///   - entryLimit: The bytes of one response. Default nil: an eighth of `limit`.
    ///   - countLimit: The responses in all. Default 100,000.
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/badConfiguration`` where the folder is in use by another store or open to other
    ///   users, else ``/Sockeye/SockeyeError/Code-swift.struct/fileFailed`` and the other codes of files.
    public convenience init(
        at path: String, limit: Int, entryLimit: Int? = nil, countLimit: Int = 100_000
    ) throws(SockeyeError) {
        try self.init(at: path, limit: limit, entryLimit: entryLimit, countLimit: countLimit, calls: .system)
    }

    package init(
        at path: String, limit: Int, entryLimit: Int? = nil, countLimit: Int = 100_000, calls: FileCalls
    ) throws(SockeyeError) {
        self.limit = max(0, limit)
        self.entryLimit = min(max(0, entryLimit ?? limit / 8), max(0, limit))
        self.countLimit = max(0, countLimit)
        folder = try CacheFolder(path, calls: calls)
        let lock = try folder.lock()
        do {
            let limits = CacheLimits(bytes: self.limit, count: self.countLimit)
            state = Mutex(State(index: try CacheIndex.open(in: folder, limits: limits, lock: lock)))
        } catch {
            var fields = SockeyeError.Fields(
                .fileFailed, phase: .prepare, blame: .disk, message: "the cache in \(path) cannot be opened: \(error)")
            fields.underlying = error
            throw SockeyeError(fields)
        }
    }

    deinit {
        guard let index = state.withLock({ $0.index.take() }) else { return }
        folder.disk.begin { index.close() }
    }

    /// How many responses are stored.
    public var count: Int { state.withLock(\.index)?.usage.count ?? 0 }

    /// The bytes that they count for; see ``limit``.
    public var byteCount: Int { state.withLock(\.index)?.usage.bytes ?? 0 }

    /// Closes the store, so that another one can have the folder. From then on everything is a miss. Content that is being
    /// served can be read to its end. A store that is let go of closes by itself, a little later.
    public func close() async {
        let index = state.withLock { state in
            state.isClosed = true
            state.lock = nil
            return state.index.take()
        }
        if let index { try? await folder.performAlways { index.close() } }
        await rebuildsEnd()
    }

    /// Waits until no disk thread holds the lock of the folder any more.
    private func rebuildsEnd() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.rebuilds > 0 { state.closers.append(continuation) }
                return state.rebuilds == 0
            }
            if isOver { continuation.resume() }
        }
    }

    /// Counts a rebuild, which ends with the closure.
    private func rebuilding(_ work: () -> Void) {
        state.withLock { $0.rebuilds += 1 }
        work()
        let closers = state.withLock { state in
            state.rebuilds -= 1
            guard state.rebuilds == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }

    /// Forgets everything, and what is being stored as well.
    public func removeAll() async throws {
        tickets.withLock { $0.revokeAll() }
        try await remove { index in try index.removeAll() }
    }

    // MARK: CachePolicy.Store

    /// The responses that are stored under a key.
    public func responses(for key: String) async throws -> [CachedResponse] {
        let (folder, index) = (folder, try openIndex())
        return try await use(index) {
            let (found, damaged) = try index.responses(for: key)
            if !damaged.isEmpty { folder.removeBodies(try index.remove(damaged)) }
            return found
        }
    }

    /// The content of one of them; nil where it is gone, or not what was stored.
    public func body(of response: CachedResponse, for key: String) async throws -> CachedResponse.Body? {
        let index = try openIndex()
        return try await use(index) { [weak self, folder] in
            guard let content = try index.content(of: response.id, for: key) else { return nil }
            // Its head was replaced meanwhile, or it was made up.
            guard content.length == response.bodyLength else { return nil }
            let forget: @Sendable () -> Void = { [weak self] in self?.forget(content.entry, index) }
            do {
                return try Self.body(content, id: response.id, folder, index, damaged: forget)
            } catch is StoredBody.Damage {
                folder.removeBodies(try index.remove([content.entry]))
                return nil
            }
        }
    }

    /// Begins to store a response; nil where it is announced too large.
    public func writer(for response: CachedResponse, key: String) throws -> (any CachePolicy.Writer)? {
        if let length = response.headers[.contentLength].flatMap(Int.init), length > entryLimit { return nil }
        return DiskCacheWriter(response, tickets.withLock { $0.begin(key) }, self)
    }

    /// Gives a stored response another head.
    public func update(_ response: CachedResponse, for key: String) async throws {
        let index = try openIndex()
        try await use(index) { try index.update(response, for: key) }
    }

    /// Removes one response.
    public func remove(_ response: CachedResponse, for key: String) async throws {
        try await remove { index in try index.remove(response.id, for: key) }
    }

    /// Removes all responses that are stored under a key, and what is being stored under it; also for a caller who no longer
    /// waits for it.
    public func removeAll(for key: String) async throws {
        tickets.withLock { $0.revoke(key) }
        try await remove { index in try index.removeAll(for: key) }
    }

    // MARK: The disk

    private func openIndex() throws -> CacheIndex {
        guard let index = state.withLock(\.index) else { throw Closed() }
        return index
    }

    /// Has a thread for the disk use the index.
    private func use<Value: Sendable>(
        _ index: CacheIndex, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await folder.perform { [weak self] in
            do { return try work() } catch {
                if error.isAboutDamage { self?.replace(index) }
                throw error
            }
        }
    }

    /// Has entries removed, whether somebody waits for that or not, and then the bodies that no entry has any more.
    ///
    /// What cannot be removed must not be served: a full disk takes no transaction, and then everything is forgotten.
    private func remove(_ work: @escaping @Sendable (CacheIndex) throws -> [String]) async throws {
        let (folder, index) = (folder, try openIndex())
        try await folder.performAlways { [weak self] in
            do { folder.removeBodies(try work(index)) } catch {
                guard let self else { throw error }
                replace(index)
            }
        }
    }

    /// Makes an entry of what was written. Blocks; for a thread for the disk.
    func insert(_ entry: NewEntry, by ticket: WriteTickets.Ticket) throws -> Bool {
        reopen()
        let index = try openIndex()
        do {
            let removed = try index.insert(entry) { tickets.withLock { $0.isValid(ticket) } }
            guard let removed else { return false }
            folder.removeBodies(removed)
            // The content is stored; that more than necessary is kept free is no reason to say that it is not.
            try? index.trim()
            return true
        } catch {
            if error.isAboutDamage { replace(index) }
            throw error
        }
    }

    /// Takes a response back that was abandoned in the moment in which it was stored. Blocks.
    func withdraw(_ response: CachedResponse, _ key: String) {
        guard let index = state.withLock(\.index), let files = try? index.remove(response.id, for: key) else { return }
        folder.removeBodies(files)
    }

    private static func body(
        _ content: EntryContent, id: String, _ folder: CacheFolder, _ index: CacheIndex,
        damaged: @escaping @Sendable () -> Void
    ) throws -> CachedResponse.Body {
        switch content.place {
        case .inline(let bytes, let seal):
            guard bytes.count == content.length, try Seal.of(content: bytes, block: 0, id: id) == seal else {
                throw StoredBody.Damage()
            }
            return .pieces(bytes.isEmpty ? [] : [bytes])
        case .file(let name, let version):
            guard content.length > 0 else { throw StoredBody.Damage() }
            let (body, first, newVersion) = try StoredBody.open(
                name, version: version, id: id, length: content.length, in: folder)
            if let newVersion { try index.update(newVersion, of: content.entry) }
            return .stream { StoredContent(body: body, first: first, range: $0, damaged: damaged) }
        }
    }

    /// Removes an entry whose content turned out to be damaged while it was served.
    private func forget(_ entry: Int64, _ index: CacheIndex) {
        let folder = folder
        folder.disk.begin { if let files = try? index.remove([entry]) { folder.removeBodies(files) } }
    }

    /// Makes the database anew, empty. Blocks.
    private func replace(_ damaged: CacheIndex) {
        rebuilding { replaceNow(damaged) }
    }

    private func replaceNow(_ damaged: CacheIndex) {
        let isMine = state.withLock { state in
            guard state.index === damaged else { return false }
            state.index = nil
            return true
        }
        guard isMine, let lock = damaged.surrender() else { return }
        folder.removeDatabase()
        folder.removeBodies((try? folder.bodyNames()) ?? [])
        state.withLock { if !$0.isClosed { $0.lock = lock } }
        reopen()
    }

    /// Opens the index where there is none, as after a time in which the disk was full. Blocks.
    private func reopen() {
        rebuilding { reopenNow() }
    }

    private func reopenNow() {
        guard let lock = state.withLock({ $0.lock.take() }) else { return }
        let limits = CacheLimits(bytes: limit, count: countLimit)
        let index = try? CacheIndex.open(in: folder, limits: limits, lock: lock)
        let isTooLate = state.withLock { state in
            guard !state.isClosed else { return true }
            state.index = index
            if index == nil { state.lock = lock }
            return false
        }
        if isTooLate { index?.close() }
    }
}
#endif
