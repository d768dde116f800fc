#if DiskCache
import GRDB
import SockeyeCache
import SockeyeCore
import SockeyeEssentials
import SockeyeHTTP
import Synchronization

extension CacheIndex {
    /// Returns the stored responses of a key, and the row numbers of the key's damaged entries. Reads at most 64
    /// entries, and skips entries with a head larger than ``EncodedHead/limit``.
    func responses(for key: String) throws -> (found: [CachedResponse], damaged: [Int64]) {
        try pool.unsafeRead { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT number, id, head, headChecksum FROM entry
                    WHERE key = ? AND length(head) <= \(EncodedHead.limit) ORDER BY number LIMIT 64
                    """)
            var found: [CachedResponse] = []
            var damaged: [Int64] = []
            let rows = try Row.fetchCursor(statement, arguments: [Data(key.utf8)])
            while let row = try rows.next() {
                if let response = EncodedHead.response(row, from: 1, key: key) {
                    found.append(response)
                } else if let number: Int64 = row.value(0) {
                    damaged.append(number)
                }
            }
            return (found, damaged)
        }
    }

    /// Returns the content of an entry, or the name of the file with the content; nil if there is no such entry.
    /// Records a use of the entry.
    func content(of id: String, for key: String) throws -> EntryContent? {
        let content: EntryContent? = try pool.unsafeRead { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT number, length, file, inode, changed, bodyChecksum,
                        CASE WHEN length(body) <= \(Self.inlineLimit) THEN body END
                    FROM entry WHERE key = ? AND id = ?
                    """)
            let row = try Row.fetchOne(statement, arguments: [Data(key.utf8), Data(id.utf8)])
            guard let row, let number: Int64 = row.value(0) else { return nil }
            let length: Int = row.value(1) ?? -1
            return EntryContent(
                entry: number, id: id, length: min(length, CacheUsage.most), place: Self.place(row))
        }
        if let content { note(content.entry) }
        return content
    }

    /// The largest content in bytes that is stored in the database. Reading content from there saves opening a file.
    static var inlineLimit: Int { 64 << 10 }

    /// Returns the place of an entry's content. If a column of the place is unreadable, returns inline content that
    /// fails the checks of the store. The store then treats the entry as damaged.
    private static func place(_ row: Row) -> EntryContent.Place {
        if let file: String = row.value(2), let inode: Int64 = row.value(3), let changed: Int64 = row.value(4) {
            return .file(file, StoredFileVersion(inode: inode, changed: changed))
        }
        let (checksum, body): (Data?, Data?) = (row.value(5), row.value(6))
        return .inline(Bytes(body ?? Data()), checksum: Bytes(checksum ?? Data()))
    }

    /// Records a use of an entry, and writes the pending uses to the database if they are due. If the write fails, for
    /// example on a full disk, they stay pending.
    func note(_ entry: Int64) {
        let due = uses.withLock { uses in
            uses.note(entry)
            return uses.isDue ? uses.take() : [:]
        }
        guard !due.isEmpty else { return }
        do { try pool.write { db in try Self.write(due, db) } } catch { uses.withLock { $0.restore(due) } }
    }
}
#endif
