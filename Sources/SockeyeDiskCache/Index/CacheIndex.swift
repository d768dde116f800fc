#if DiskCache
import GRDB
import SockeyeCore
import SockeyeEngine
import SockeyeEssentials
import SockeyeHTTP
import Synchronization

/// The entries of a store: an SQLite table, accessed through GRDB. All operations block.
///
/// The database is in WAL mode with `synchronous=NORMAL`. Transactions do not wait for the disk, except those that
/// cause SQLite's automatic checkpoint. All transactions are atomic even if the process or the machine dies. If the
/// machine dies, the latest changes may be lost, including removals.
final class CacheIndex: Sendable {
    private static let version = 2
    /// The ASCII text `Sock`, so that the programs `file` and `sqlite3` show the owner of the database.
    private static let applicationID = 0x536F_636B

    let limits: CacheLimits
    let pool: DatabasePool
    let usageBox: Mutex<CacheUsage>
    let uses: Mutex<RecentUses>
    /// The lock of the folder, held until the index is closed.
    private let lock: Mutex<FileHandle?>

    var usage: CacheUsage { usageBox.withLock(\.self) }

    /// The database belongs to another program or another version, or has numbers that this store never writes.
    struct ForeignDatabase: Error {}

    /// Opens the database, and removes bodies without an entry and entries without their body. A damaged or foreign
    /// database is replaced by an empty one.
    static func open(in folder: CacheFolder, limits: CacheLimits, lock: FileHandle) throws -> CacheIndex {
        do {
            return try CacheIndex(folder, limits, lock)
        } catch {
            guard error.isAboutDamage else { throw error }
            folder.removeDatabase()
            return try CacheIndex(folder, limits, lock)
        }
    }

    private init(_ folder: CacheFolder, _ limits: CacheLimits, _ lock: FileHandle) throws {
        try folder.prepareDatabase()
        let pool = try DatabasePool(path: folder.databasePath, configuration: Self.configuration)
        do {
            try Self.prepareSchema(pool)
            try Self.sweep(folder, pool)
            let (usage, clock) = try pool.read { db in
                let row = try Row.fetchOne(
                    db, sql: "SELECT total(cost), count(*), max(used), min(cost), max(cost) FROM entry")
                let (bytes, count): (Double, Int) = (row?.value(0) ?? 0, row?.value(1) ?? 0)
                // Without entries the following are NULL.
                let clock: Int64? = count == 0 ? 0 : row?.value(2)
                let least: Int? = count == 0 ? 0 : row?.value(3)
                let most: Int? = count == 0 ? 0 : row?.value(4)
                // This store writes only integers within these limits. Its strict schema does not ensure that, because
                // a damaged database may have another schema.
                guard let clock, let least, let most, clock < 1 << 60, least >= 0, most <= CacheUsage.most,
                    (0...Double(CacheUsage.most)).contains(bytes)
                else { throw ForeignDatabase() }
                return (CacheUsage(bytes: Int(bytes), count: count), clock)
            }
            usageBox = Mutex(usage)
            uses = Mutex(RecentUses(after: clock))
        } catch {
            try? pool.close()
            throw error
        }
        self.limits = limits
        self.pool = pool
        self.lock = Mutex(lock)
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "sockeye-cache"
        configuration.busyMode = .timeout(1)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { db in
            // Another program may have made the database: do not trust its triggers and views.
            try db.execute(
                sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -512")
            guard !db.configuration.readonly else { return }
            // auto_vacuum must be set before the first table is created. It allows returning the pages of removed
            // entries to the file system.
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_size_limit = 4194304")
        }
        return configuration
    }

    private static func prepareSchema(_ pool: DatabasePool) throws {
        try pool.write { db in
            let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            if id == applicationID, version == Self.version { return }
            let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            guard id == 0, version == 0, tables == 0 else { throw ForeignDatabase() }
            try db.execute(
                sql: """
                    CREATE TABLE entry (
                        number INTEGER PRIMARY KEY, key BLOB NOT NULL, id BLOB NOT NULL,
                        head BLOB NOT NULL, headChecksum BLOB NOT NULL, used INTEGER NOT NULL, cost INTEGER NOT NULL,
                        length INTEGER NOT NULL, file TEXT, inode INTEGER, changed INTEGER,
                        bodyChecksum BLOB, body BLOB
                    ) STRICT;
                    CREATE UNIQUE INDEX entryName ON entry (key, id);
                    CREATE INDEX entryUse ON entry (used, cost, file);
                    PRAGMA application_id = \(applicationID);
                    PRAGMA user_version = \(Self.version);
                    """)
        }
    }

    /// Removes bodies without an entry, which a killed process left, and entries without their body.
    private static func sweep(_ folder: CacheFolder, _ pool: DatabasePool) throws {
        var there = Set(try folder.bodyNames())
        try pool.write { db in
            var lost: [Int64] = []
            let rows = try Row.fetchCursor(db, sql: "SELECT number, file FROM entry WHERE file IS NOT NULL")
            while let row = try rows.next() {
                guard let number: Int64 = row.value(0) else { continue }
                let name: String? = row.value(1)
                if name.flatMap({ there.remove($0) }) == nil { lost.append(number) }
            }
            for number in lost { try db.execute(sql: "DELETE FROM entry WHERE number = ?", arguments: [number]) }
        }
        folder.removeBodies(there)
    }

    /// Writes the pending uses (``RecentUses``) to the database, closes it and releases the lock of the folder. Further
    /// calls have no effect.
    func close() {
        guard let lock = lock.withLock({ $0.take() }) else { return }
        let uses = uses.withLock { $0.take() }
        try? pool.write { db in try Self.write(uses, db) }
        // Without this checkpoint the write-ahead log would stay on the disk: GRDB closes its read connections last,
        // and they do not truncate the log.
        try? pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        try? pool.close()
        withExtendedLifetime(lock) {}
    }

    /// Closes a damaged database, without writing the pending uses. Returns the lock, which keeps the folder locked;
    /// nil if the index was closed before.
    func closeKeepingLock() -> FileHandle? {
        defer { try? pool.close() }
        return lock.withLock { $0.take() }
    }

    static func write(_ uses: [Int64: Int64], _ db: Database) throws {
        guard !uses.isEmpty else { return }
        let statement = try db.cachedStatement(sql: "UPDATE entry SET used = ? WHERE number = ?")
        for (entry, time) in uses { try statement.execute(arguments: [time, entry]) }
    }
}

extension Error {
    /// True if the error means that a database is damaged or foreign.
    var isAboutDamage: Bool {
        if self is CacheIndex.ForeignDatabase { return true }
        guard let error = self as? DatabaseError else { return false }
        // SQLITE_ERROR: the database lacks a table or column that a statement of this store uses.
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode)
    }
}
#endif
