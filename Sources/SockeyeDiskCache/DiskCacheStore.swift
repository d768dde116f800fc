#if DiskCache
public import SockeyeCache
import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP
import Synchronization

/// A `CachePolicy.Store` on disk: a persistent LRU cache with limits on bytes and entries.
///
/// ```swift
/// let store = try DiskCacheStore(at: "/var/cache/app/http", limit: 1 << 30)
/// let client = HTTPClient().adding(.cache(store))
/// ```
///
/// An SQLite database holds the heads, and content of up to 64 KiB. Larger content is in a file of its own beside the
/// database, written and read in blocks of 256 KiB. All blocking operations except opening the store run on disk
/// threads.
///
/// **Atomic.** A response becomes visible by one transaction. If its content is in a file, that file is synchronized to
/// the disk (fsync(2)) before the transaction. If the process or machine dies, no part of an unfinished response is
/// visible. The files of unfinished responses are removed when the folder is opened next.
///
/// **Verified.** Each head and each block is stored with its SHA-256. A file that is shorter, longer, changed or
/// replaced is detected before its first byte is served: the response is removed, and the look-up is a miss. If a file
/// changes while it is served, the response ends with an error and never with wrong bytes. A damaged database is
/// replaced by an empty one.
///
/// **Errors.** If the disk is full, nothing is stored. If the disk cannot be read, the result is a miss; only a
/// response that is already being served ends with an error.
///
/// **One store per folder.** A second store for the folder, in this process or another, is refused. Any number of
/// clients may share a store. The folder must be on a local file system, because SQLite's write-ahead log does not work
/// over a network.
///
/// **Permissions.** Files have mode 0600, and folders that the store creates 0700. Content is not encrypted.
public final class DiskCacheStore: CachePolicy.Store, InterruptibleStore {
    private struct State {
        /// Nil after ``close()``, while a damaged database is being replaced, and if replacing it failed, for example
        /// on a full disk.
        var index: CacheIndex?
        /// The lock of the folder; nil while an index or a disk thread holds it, and after ``close()``.
        var lock: FileHandle?
        var isClosed = false
        /// The number of disk threads that open, close or replace the database and hold the lock of the folder
        /// meanwhile.
        var lockHolders = 0
        /// Callers of ``close()`` that wait until no disk thread holds the lock.
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    /// The store was closed.
    struct Closed: Error {}

    /// The largest total size of the stored responses in bytes: content and heads, each rounded up to pages of 4 KiB.
    /// The least recently used responses are removed first.
    ///
    /// The disk usage can be higher by SQLite's write-ahead log (some MiB) and by free pages of the database (up to an
    /// eighth of this limit, or 4 MiB if that is more). Each response that is being stored takes up to ``entryLimit``
    /// more.
    public let limit: Int
    /// The largest content of one response in bytes. Larger responses are not stored.
    public let entryLimit: Int
    /// The largest number of stored responses.
    public let countLimit: Int

    let folder: CacheFolder
    let tickets = Mutex(WriteTickets())
    private let state: Mutex<State>

    /// Opens the store in a folder, which is created if it does not exist.
    ///
    /// Blocks the thread until the names of all content files are read and unfinished files of a killed process are
    /// removed.
    ///
    /// - Parameters:
    ///   - path: The folder. An existing folder must belong to the process's user and not be writable by other users.
    ///   - limit: The largest total size of all responses in bytes, such as `1 << 30`.
    ///   - entryLimit: The largest content of one response in bytes, at most `limit`. Default nil: an eighth of
    ///     `limit`.
    ///   - countLimit: The largest number of responses. Default 100,000.
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/badConfiguration`` if the folder is in use by another store,
    ///   belongs to another user or is writable by other users. Other errors of files have the code
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/fileFailed``, ``/Sockeye/SockeyeError/Code-swift.struct/diskFull``
    ///   or ``/Sockeye/SockeyeError/Code-swift.struct/outOfResources``.
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

    /// The number of stored responses.
    public var count: Int { state.withLock(\.index)?.usage.count ?? 0 }

    /// The total size of the stored responses in bytes, as it counts for ``limit``.
    public var byteCount: Int { state.withLock(\.index)?.usage.bytes ?? 0 }

    /// Closes the store, and waits until another store can open the folder. Cancelling the task does not end the wait.
    ///
    /// After this call, the cache policy finds no response in the store. Content that is being served can be read to
    /// its end. A store that is released without this call is closed later, on a disk thread.
    public func close() async {
        let index = state.withLock { state in
            state.isClosed = true
            state.lock = nil
            if state.index != nil { state.lockHolders += 1 }
            return state.index.take()
        }
        if let index {
            folder.disk.begin {
                index.close()
                self.noteUnlocked()
            }
        }
        await waitUntilUnlocked()
    }

    /// Waits until no disk thread holds the lock of the folder, even if the task is cancelled.
    private func waitUntilUnlocked() async {
        await withCheckedContinuation { continuation in
            let isUnlocked = state.withLock { state in
                if state.lockHolders > 0 { state.closers.append(continuation) }
                return state.lockHolders == 0
            }
            if isUnlocked { continuation.resume() }
        }
    }

    /// Runs `work`, and counts this thread as a holder of the folder's lock meanwhile.
    private func holdingLock(_ work: () -> Void) {
        state.withLock { $0.lockHolders += 1 }
        work()
        noteUnlocked()
    }

    /// Notes that a thread no longer holds the lock of the folder.
    private func noteUnlocked() {
        let closers = state.withLock { state in
            state.lockHolders -= 1
            guard state.lockHolders == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }

    /// Removes all responses, including those that are being stored. The removal happens even if the caller is
    /// cancelled meanwhile.
    ///
    /// - Throws: `CancellationError` if the caller is cancelled. Another error if the store has no open database, as
    ///   after ``close()``.
    public func removeAll() async throws {
        tickets.withLock { $0.revokeAll() }
        try await remove { index in try index.removeAll() }
    }

    // MARK: CachePolicy.Store

    /// Returns the responses that are stored under a key.
    public func responses(for key: String) async throws -> [CachedResponse] {
        let (folder, index) = (folder, try openIndex())
        return try await use(index) {
            let (found, damaged) = try index.responses(for: key)
            if !damaged.isEmpty {
                // Damaged entries that cannot be removed, for example on a full disk, do not prevent the use of others.
                do { folder.removeBodies(try index.remove(damaged)) } catch {
                    if error.isAboutDamage { throw error }
                }
            }
            return found
        }
    }

    /// Returns the content of a stored response; nil if it is gone or damaged.
    public func body(of response: CachedResponse, for key: String) async throws -> CachedResponse.Body? {
        let index = try openIndex()
        return try await use(index) { [weak self, folder] in
            guard let content = try index.content(of: response.id, for: key) else { return nil }
            // If the lengths differ, the entry was replaced meanwhile or is damaged, or `response` did not come from
            // this store.
            guard content.length == response.bodyLength else { return nil }
            let forget: @Sendable () -> Void = { [weak self] in self?.forget(content, index) }
            do {
                return try Self.body(content, folder, index, damaged: forget)
            } catch is StoredBody.Damage {
                folder.removeBodies(try index.remove(content))
                return nil
            }
        }
    }

    /// Begins to store a response; nil if its `Content-Length` exceeds ``entryLimit``.
    public func writer(for response: CachedResponse, key: String) throws -> (any CachePolicy.Writer)? {
        if let length = response.headers[.contentLength].flatMap(Int.init), length > entryLimit { return nil }
        return DiskCacheWriter(response, tickets.withLock { $0.begin(key) }, self)
    }

    /// Replaces the head of a stored response; has no effect if the response is gone.
    public func update(_ response: CachedResponse, for key: String) async throws {
        let (folder, index) = (folder, try openIndex())
        try await use(index) { folder.removeBodies(try index.update(response, for: key)) }
    }

    /// Removes one response.
    public func remove(_ response: CachedResponse, for key: String) async throws {
        try await remove { index in try index.remove(response.id, for: key) }
    }

    /// Removes all responses that are stored under a key, and those that are being stored under it. The removal happens
    /// even if the caller is cancelled meanwhile.
    public func removeAll(for key: String) async throws {
        tickets.withLock { $0.revoke(key) }
        try await remove { index in try index.removeAll(for: key) }
    }

    // MARK: The disk

    private func openIndex() throws -> CacheIndex {
        guard let index = state.withLock(\.index) else { throw Closed() }
        return index
    }

    /// Runs `work` on a disk thread. If the database turns out to be damaged, replaces it.
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

    /// Removes entries, even if the caller is cancelled meanwhile, and then the bodies that no entry refers to any
    /// more. If the transaction fails, for example on a full disk, the whole database is replaced, because the entries
    /// must not be served.
    private func remove(_ work: @escaping @Sendable (CacheIndex) throws -> [String]) async throws {
        let (folder, index) = (folder, try openIndex())
        try await folder.performAlways { [weak self] in
            do { folder.removeBodies(try work(index)) } catch {
                guard let self else { throw error }
                replace(index)
            }
        }
    }

    /// Creates an entry for written content; returns false if the ticket of the write is no longer valid (see
    /// ``WriteTickets``). Blocks the thread.
    func insert(_ entry: NewEntry, by ticket: WriteTickets.Ticket) throws -> Bool {
        reopen()
        let index = try openIndex()
        do {
            let removed = try index.insert(entry) { tickets.withLock { $0.isValid(ticket) } }
            guard let removed else { return false }
            folder.removeBodies(removed)
            // The entry is stored, so a failure to return free pages is ignored.
            try? index.trim()
            return true
        } catch {
            if error.isAboutDamage { replace(index) }
            throw error
        }
    }

    /// Removes a response that was just stored, because its ticket became invalid meanwhile. If the transaction fails,
    /// the whole database is replaced, because the response must not be served. Blocks the thread.
    func withdraw(_ response: CachedResponse, _ key: String) {
        guard let index = state.withLock(\.index) else { return }
        do { folder.removeBodies(try index.remove(response.id, for: key)) } catch { replace(index) }
    }

    private static func body(
        _ content: EntryContent, _ folder: CacheFolder, _ index: CacheIndex,
        damaged: @escaping @Sendable () -> Void
    ) throws -> CachedResponse.Body {
        switch content.place {
        case .inline(let bytes, let checksum):
            guard bytes.count == content.length,
                try EntryChecksum.of(content: bytes, block: 0, id: content.id) == checksum
            else {
                throw StoredBody.Damage()
            }
            return .pieces(bytes.isEmpty ? [] : [bytes])
        case .file(let name, let version):
            guard content.length > 0 else { throw StoredBody.Damage() }
            let (body, first, newVersion) = try StoredBody.open(
                name, version: version, id: content.id, length: content.length, in: folder)
            if let newVersion { try index.update(newVersion, of: content.entry) }
            return .stream { StoredContent(body: body, first: first, range: $0, damaged: damaged) }
        }
    }

    /// Removes an entry after its content turned out to be damaged while it was served.
    private func forget(_ content: EntryContent, _ index: CacheIndex) {
        let folder = folder
        folder.disk.begin { if let files = try? index.remove(content) { folder.removeBodies(files) } }
    }

    /// Replaces the database by an empty one, unless `damaged` was already replaced or closed. Blocks the thread.
    private func replace(_ damaged: CacheIndex) {
        holdingLock { replaceNow(damaged) }
    }

    private func replaceNow(_ damaged: CacheIndex) {
        let isMine = state.withLock { state in
            guard state.index === damaged else { return false }
            state.index = nil
            return true
        }
        guard isMine, let lock = damaged.closeKeepingLock() else { return }
        folder.removeDatabase()
        folder.removeBodies((try? folder.bodyNames()) ?? [])
        state.withLock { if !$0.isClosed { $0.lock = lock } }
        reopen()
    }

    /// Opens the index, unless it is open or the store was closed. If replacing the database failed, for example on a
    /// full disk, the next call tries again. Blocks the thread.
    private func reopen() {
        holdingLock { reopenNow() }
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
