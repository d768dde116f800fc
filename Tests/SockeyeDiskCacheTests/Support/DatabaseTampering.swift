#if DiskCache
import GRDB

/// Changes a database as another program could.
enum DatabaseTampering {
    static func run(_ sql: String, in path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: sql)
            try db.checkpoint(.truncate)
        }
        try queue.close()
    }
}
#endif
