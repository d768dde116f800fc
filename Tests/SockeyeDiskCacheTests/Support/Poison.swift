#if DiskCache
import GRDB

/// What somebody else does to a database.
enum Poison {
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
