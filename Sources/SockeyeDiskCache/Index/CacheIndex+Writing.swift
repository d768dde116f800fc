#if DiskCache
import GRDB
import SockeyeCache
import SockeyeCore
import SockeyeEssentials
import SockeyeHTTP
import Synchronization

/// Each change is one transaction. A change that can remove entries returns the names of the body files to which no
/// entry refers any more. The caller removes these files after the transaction, so that a visible entry never lacks its
/// body.
extension CacheIndex {
    /// Makes an entry visible in place of the entries that it replaces, and removes the least recently used entries
    /// beyond the limits. An entry that alone exceeds the limit of bytes is not stored, but the entries that it
    /// replaces are removed.
    ///
    /// - Parameter isWanted: Called within the transaction; false cancels the insertion.
    /// - Returns: The names of the body files to remove, possibly that of the new entry; nil if the entry was not
    ///   wanted.
    func insert(_ new: NewEntry, while isWanted: () -> Bool) throws -> [String]? {
        let head = try EncodedHead(new.response, key: new.key)
        let cost = CacheUsage.cost(head: head.bytes.count, key: new.key.utf8.count, content: new.response.bodyLength)
        let due = uses.withLock { $0.take() }
        let time = uses.withLock { $0.next() }
        var hasWrittenUses = false
        defer { if !hasWrittenUses { uses.withLock { $0.restore(due) } } }
        let files = try change { db, usage, files in
            guard isWanted() else { return false }
            try Self.write(due, db)
            for entry in try replaced(by: new, db) { try remove(entry, db, &usage, &files) }
            guard cost <= limits.bytes else {
                if case .file(let name, _) = new.content { files.append(name) }
                return true
            }
            try Self.insert(new, head, cost: cost, used: time, db)
            usage.add(cost)
            try evict(db, &usage, &files)
            return true
        }
        hasWrittenUses = files != nil
        return files
    }

    /// Replaces the head of an entry. If the entry alone then exceeds the limit of bytes, removes the entry. Otherwise
    /// removes the least recently used entries beyond the limits.
    ///
    /// - Returns: The names of the body files to remove.
    func update(_ response: CachedResponse, for key: String) throws -> [String] {
        let files = try change { db, usage, files in
            let row = try Row.fetchOne(
                db, sql: "SELECT number, cost, file, length FROM entry WHERE key = ? AND id = ?",
                arguments: [Data(key.utf8), Data(response.id.utf8)])
            guard let row, let found = Found(row), let length: Int = row.value(3) else { return false }
            var response = response
            response.bodyLength = length
            let head = try EncodedHead(response, key: key)
            let cost = CacheUsage.cost(head: head.bytes.count, key: key.utf8.count, content: length)
            guard cost <= limits.bytes else {
                try remove(found, db, &usage, &files)
                return true
            }
            try db.execute(
                sql: "UPDATE entry SET head = ?, headChecksum = ?, cost = ? WHERE number = ?",
                arguments: [Data(head.bytes), Data(head.checksum), cost, found.number])
            usage.bytes += cost - found.cost
            try evict(db, &usage, &files)
            return true
        }
        return files ?? []
    }

    /// Records the new version of an entry's body file.
    func update(_ version: StoredFileVersion, of entry: Int64) throws {
        try pool.write { db in
            try db.execute(
                sql: "UPDATE entry SET inode = ?, changed = ? WHERE number = ?",
                arguments: [version.inode, version.changed, entry])
        }
    }

    func remove(_ entries: [Int64]) throws -> [String] {
        try remove(where: "number IN (\(entries.map(String.init).joined(separator: ",")))", [])
    }

    /// Removes the entry of damaged content, unless it was replaced since the content was looked up. The entry's number
    /// alone does not show this, because a new entry may get the number of a removed one. The id must therefore match,
    /// too.
    func remove(_ content: EntryContent) throws -> [String] {
        try remove(where: "number = ? AND id = ?", [content.entry, Data(content.id.utf8)])
    }

    func remove(_ id: String, for key: String) throws -> [String] {
        try remove(where: "key = ? AND id = ?", [Data(key.utf8), Data(id.utf8)])
    }

    func removeAll(for key: String) throws -> [String] {
        try remove(where: "key = ?", [Data(key.utf8)])
    }

    func removeAll() throws -> [String] {
        let files = try remove(where: "true", [])
        try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA incremental_vacuum") }
        return files
    }

    // MARK: Steps

    private struct Found {
        let number: Int64
        let cost: Int
        let file: String?

        /// - Parameter row: A row with number, cost and file, starting at `column`.
        init?(_ row: Row, from column: Int = 0) {
            guard let number: Int64 = row.value(column), let cost: Int = row.value(column + 1) else { return nil }
            self.number = number
            self.cost = min(max(0, cost), CacheUsage.most)
            file = row.value(column + 2)
        }
    }

    /// Runs one transaction, and updates the usage afterwards. Returns the names of the body files to remove; nil if
    /// the closure `body` has returned false.
    ///
    /// - Parameter body: Returns true if there is anything to commit.
    private func change(
        _ body: (Database, inout CacheUsage, inout [String]) throws -> Bool
    ) throws -> [String]? {
        try pool.writeWithoutTransaction { db in
            // There is one writer at a time, so the usage does not change meanwhile.
            var usage = self.usage
            var files: [String]? = []
            try db.inTransaction(.immediate) {
                var removed: [String] = []
                guard try body(db, &usage, &removed) else {
                    files = nil
                    return .rollback
                }
                files = removed
                return .commit
            }
            if files != nil { usageBox.withLock { $0 = usage } }
            return files
        }
    }

    private func remove(where condition: String, _ arguments: StatementArguments) throws -> [String] {
        let files = try change { db, usage, files in
            let rows = try Row.fetchAll(
                db, sql: "SELECT number, cost, file FROM entry WHERE \(condition)", arguments: arguments)
            for row in rows { if let found = Found(row) { try remove(found, db, &usage, &files) } }
            return !rows.isEmpty
        }
        return files ?? []
    }

    private func remove(_ found: Found, _ db: Database, _ usage: inout CacheUsage, _ files: inout [String]) throws {
        try db.cachedStatement(sql: "DELETE FROM entry WHERE number = ?").execute(arguments: [found.number])
        usage.subtract(found.cost)
        if let file = found.file { files.append(file) }
    }

    /// Returns the entries of the same key that a new entry replaces: older responses that answer the same requests as
    /// the new one, the oldest entries beyond ``CacheLimits/variants``, and unreadable entries.
    private func replaced(by new: NewEntry, _ db: Database) throws -> [Found] {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT id, head, headChecksum, number, cost, file FROM entry WHERE key = ? ORDER BY number",
            arguments: [Data(new.key.utf8)])
        var replaced: [Found] = []
        var kept: [Found] = []
        for row in rows {
            guard let found = Found(row, from: 3) else { continue }
            let old = EncodedHead.response(row, from: 0, key: new.key)
            let stays = old.map { !new.response.replaces($0) && $0.id != new.response.id } ?? false
            if stays { kept.append(found) } else { replaced.append(found) }
        }
        return replaced + kept.dropLast(limits.variants - 1)
    }

    private static func insert(_ new: NewEntry, _ head: EncodedHead, cost: Int, used: Int64, _ db: Database) throws {
        let response = new.response
        var (file, version, body, checksum): (String?, StoredFileVersion?, Data?, Data?) = (nil, nil, nil, nil)
        switch new.content {
        case .inline(let content):
            body = Data(content)
            checksum = Data(try EntryChecksum.of(content: content, block: 0, id: response.id))
        case .file(let name, let found): (file, version) = (name, found)
        }
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO entry
                    (key, id, head, headChecksum, used, cost, length, file, inode, changed, bodyChecksum, body)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(
            arguments: [
                Data(new.key.utf8), Data(response.id.utf8), Data(head.bytes), Data(head.checksum), used, cost,
                response.bodyLength, file, version?.inode, version?.changed, checksum, body,
            ])
    }

    private func evict(_ db: Database, _ usage: inout CacheUsage, _ files: inout [String]) throws {
        while usage.bytes > limits.bytes || usage.count > limits.count {
            let rows = try Row.fetchAll(db, sql: "SELECT number, cost, file FROM entry ORDER BY used LIMIT 64")
            let oldest = rows.compactMap { Found($0) }
            guard !oldest.isEmpty else { return }
            for found in oldest where usage.bytes > limits.bytes || usage.count > limits.count {
                try remove(found, db, &usage, &files)
            }
        }
    }

    /// Shrinks the database file by up to 1,024 free pages, if its free pages exceed both 4 MiB and an eighth of the
    /// cache's limit of bytes.
    func trim() throws {
        try pool.writeWithoutTransaction { db in
            let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            guard free * 4096 > max(4 << 20, limits.bytes / 8) else { return }
            try db.execute(sql: "PRAGMA incremental_vacuum(1024)")
        }
    }
}
#endif
