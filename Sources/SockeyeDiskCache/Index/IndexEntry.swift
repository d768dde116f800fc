#if DiskCache
package import FoundationEssentials
import GRDB
package import SockeyeCore
package import SockeyeHTTP
import SockeyeSerialization

/// A response that is to become an entry.
struct NewEntry: Sendable {
    enum Content: Sendable {
        case inline(Bytes)
        case file(String, FileVersion)
    }

    let response: CachedResponse
    let key: String
    let content: Content
}

/// What the index knows of the content of an entry.
struct EntryContent: Sendable {
    enum Place: Sendable {
        case inline(Bytes, seal: Bytes)
        case file(String, FileVersion)
    }

    /// The entry's number in the database.
    let entry: Int64
    let length: Int
    let place: Place
}

/// The bounds of a store.
struct CacheLimits: Sendable {
    let bytes: Int
    let count: Int
    /// Answers to one URL, whatever they vary by.
    let variants = 32
}

/// What all entries count for.
struct CacheUsage: Sendable, Equatable {
    /// The most bytes that all entries count for. Several such numbers can be added without overflow.
    static let most = BlockLayout.longest

    var bytes = 0
    var count = 0

    /// The bytes that an entry counts for: pages of the file system, or of SQLite, that its content and its head fill, and one
    /// for inode and index entries.
    ///
    /// - Parameter content: The length of the content. It may come from a damaged row, so it is clamped to ``most``.
    static func cost(head: Int, key: Int, content: Int) -> Int {
        let page = 4096
        let content = min(max(0, content), most)
        return ((head + 2 * key + page - 1) / page + (content + page - 1) / page) * page
    }

    mutating func add(_ cost: Int) {
        bytes += cost
        count += 1
    }

    mutating func subtract(_ cost: Int) {
        bytes = max(0, bytes - cost)
        count = max(0, count - 1)
    }
}

/// The head of a response in the database.
package struct EncodedHead {
    /// The bytes of the largest head. Heads are far smaller; a larger one in a database was not written by this store.
    static let limit = 1 << 20

    struct TooLarge: Error {}

    package let bytes: Bytes
    package let seal: Bytes

    package init(_ response: CachedResponse, key: String) throws {
        bytes = Bytes(try JSONEncoder().encode(response))
        guard bytes.count <= Self.limit else { throw TooLarge() }
        seal = try Seal.of(head: bytes, id: response.id, key: key)
    }

    /// The response of a row; nil if it is not what was written.
    ///
    /// The seal is checked before the head is decoded, and the nesting of the JSON as well: a process that can write the file can
    /// also make seals, and Foundation's decoder ends the process at deep nesting.
    package static func response(id: Data, head: Data, seal: Data, key: String) -> CachedResponse? {
        guard head.count <= limit, let name = String(validating: id, as: UTF8.self),
            let expected = try? Seal.of(head: Bytes(head), id: name, key: key), expected == Bytes(seal),
            let response = try? JSONDecoder().decode(CachedResponse.self, checking: head), response.id == name
        else { return nil }
        return response
    }

    /// The response of a row that has `id`, `head` and `headSeal` in this order from a column on.
    static func response(_ row: Row, from column: Int, key: String) -> CachedResponse? {
        guard let id: Data = row.value(column), let head: Data = row.value(column + 1),
            let seal: Data = row.value(column + 2)
        else { return nil }
        return response(id: id, head: head, seal: seal, key: key)
    }
}

extension Row {
    /// A column; nil where it has no such value. GRDB's own subscripts end the process there, and a database may have been
    /// damaged.
    func value<Value: DatabaseValueConvertible>(_ column: Int) -> Value? {
        Value.fromDatabaseValue(self[column] as DatabaseValue)
    }
}
#endif
