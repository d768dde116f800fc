#if DiskCache
import FoundationEssentials
import GRDB
import SockeyeCore
import SockeyeHTTP
import Synchronization

extension CacheIndex {
    /// The responses of a key, and the numbers of entries that are not what was written.
    func responses(for key: String) throws -> (found: [CachedResponse], damaged: [Int64]) {
        try pool.unsafeRead { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT number, id, head, headSeal FROM entry
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

    /// Where the content of an entry is; nil where there is no such entry. Notes that it was used.
    func content(of id: String, for key: String) throws -> EntryContent? {
        let content: EntryContent? = try pool.unsafeRead { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT number, length, file, inode, changed, bodySeal,
                        CASE WHEN length(body) <= \(Self.inlineLimit) THEN body END
                    FROM entry WHERE key = ? AND id = ?
                    """)
            let row = try Row.fetchOne(statement, arguments: [Data(key.utf8), Data(id.utf8)])
            guard let row, let number: Int64 = row.value(0) else { return nil }
            let length: Int = row.value(1) ?? -1
            return EntryContent(entry: number, length: min(length, CacheUsage.most), place: Self.place(row))
        }
        if let content { note(content.entry) }
        return content
    }

    /// The largest content that is kept in the database: reading it from there costs no opening of a file.
    static var inlineLimit: Int { 64 << 10 }

    /// What cannot be read is content without a seal, which is damaged.
    private static func place(_ row: Row) -> EntryContent.Place {
        if let file: String = row.value(2), let inode: Int64 = row.value(3), let changed: Int64 = row.value(4) {
            return .file(file, FileVersion(inode: inode, changed: changed))
        }
        let (seal, body): (Data?, Data?) = (row.value(5), row.value(6))
        return .inline(Bytes(body ?? Data()), seal: Bytes(seal ?? Data()))
    }

    /// Uses that are not written down yet are kept up to this number.
    private static var mostPending: Int { 4096 }

    private func note(_ entry: Int64) {
        let due = uses.withLock { uses in
            uses.note(entry)
            return uses.pending.count < Self.mostPending ? [:] : uses.take()
        }
        if !due.isEmpty { try? pool.write { db in try Self.write(due, db) } }
    }
}
#endif
