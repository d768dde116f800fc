#if DiskCache
import GRDB
package import SockeyeCache
package import SockeyeCore
package import SockeyeEssentials
import SockeyeHTTP
import SockeyeSerialization

/// A response to insert as an entry.
struct NewEntry: Sendable {
    enum Content: Sendable {
        case inline(Bytes)
        case file(String, StoredFileVersion)
    }

    let response: CachedResponse
    let key: String
    let content: Content
}

/// The content of an entry according to the index.
struct EntryContent: Sendable {
    enum Place: Sendable {
        case inline(Bytes, checksum: Bytes)
        case file(String, StoredFileVersion)
    }

    /// The entry's number in the database.
    let entry: Int64
    /// The id of the entry's response.
    let id: String
    let length: Int
    let place: Place
}

/// The bounds of a store.
struct CacheLimits: Sendable {
    let bytes: Int
    let count: Int
    /// The largest number of responses under one key: variants (RFC 9111 4.1) and responses to different credentials.
    let variants = 32
}

/// The size and number of all entries.
struct CacheUsage: Sendable, Equatable {
    /// The upper bound for the size of an entry and for the total size of all entries. A few numbers up to this bound
    /// can be added without overflow.
    static let most = BlockLayout.longest

    var bytes = 0
    var count = 0

    /// Returns the size of an entry in bytes: the pages of 4 KiB that its head and its content fill. Twice the length
    /// of the key is added to the head, because the table and its index both contain the key.
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
    /// The maximum number of bytes of a head in the database. The store neither writes nor reads a larger head.
    static let limit = 1 << 20

    struct TooLarge: Error {}

    package let bytes: Bytes
    package let checksum: Bytes

    package init(_ response: CachedResponse, key: String) throws {
        bytes = Bytes(try JSONEncoder().encode(response))
        guard bytes.count <= Self.limit else { throw TooLarge() }
        checksum = try EntryChecksum.of(head: bytes, id: response.id, key: key)
    }

    /// Returns the response of a row; nil if the row is damaged.
    ///
    /// The checksum and the nesting of the JSON are checked before the head is decoded. The checksum does not suffice:
    /// another process that can write the database file can compute checksums too, and Foundation's decoder crashes at
    /// deep nesting.
    package static func response(id: Data, head: Data, checksum: Data, key: String) -> CachedResponse? {
        guard head.count <= limit, let name = String(validating: id, as: UTF8.self),
            let expected = try? EntryChecksum.of(head: Bytes(head), id: name, key: key), expected == Bytes(checksum),
            let response = try? JSONDecoder().decode(CachedResponse.self, checking: head), response.id == name
        else { return nil }
        return response
    }

    /// Returns the response of a row with the columns id, head and headChecksum, in this order, starting at `column`.
    static func response(_ row: Row, from column: Int, key: String) -> CachedResponse? {
        guard let id: Data = row.value(column), let head: Data = row.value(column + 1),
            let checksum: Data = row.value(column + 2)
        else { return nil }
        return response(id: id, head: head, checksum: checksum, key: key)
    }
}

extension Row {
    /// Returns the value of a column; nil if it has no value of this type. GRDB's own subscripts end the process in
    /// this case, and a database may be damaged.
    func value<Value: DatabaseValueConvertible>(_ column: Int) -> Value? {
        Value.fromDatabaseValue(self[column] as DatabaseValue)
    }
}
#endif
