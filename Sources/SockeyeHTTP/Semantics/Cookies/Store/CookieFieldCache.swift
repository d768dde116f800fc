/// An LRU cache of Cookie fields by URL prefix. Most clients send requests to a few hosts again and again.
///
/// The store empties it whenever a cookie is added, changed or removed.
struct CookieFieldCache: Sendable {
    /// A field and the logical time of its last use.
    struct Entry: Sendable {
        let field: CachedCookieField
        var used: UInt64
    }

    /// The maximum number of entries.
    private static let capacity = 8

    private var entries: [Entry] = []
    /// The index of the most recently used entry.
    private var last = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Returns the index of the field for a URL.
    func index(for url: HTTPURL) -> Int? {
        // Reads through a span, because reading an array's element retains it.
        let span = entries.span
        if last < span.count, span[last].field.isFor(url) { return last }
        return entries.firstIndex { $0.field.isFor(url) }
    }

    func isExpired(_ index: Int, at now: () -> Int64) -> Bool { entries[index].field.isExpired(at: now) }

    /// Returns the field at an index and records the use.
    mutating func use(_ index: Int, at use: UInt64) -> CachedCookieField {
        last = index
        entries[index].used = use
        return entries[index].field
    }

    /// Returns the index of a field; nil if it is no longer cached.
    func index(of field: CachedCookieField) -> Int? { entries.firstIndex { $0.field === field } }

    /// Caches a field.
    ///
    /// - Returns: The entry that was evicted to make room, if any.
    mutating func insert(_ field: CachedCookieField, used: UInt64) -> Entry? {
        let entry = Entry(field: field, used: used)
        guard entries.count >= Self.capacity,
            let oldest = entries.indices.min(by: { entries[$0].used < entries[$1].used })
        else {
            last = entries.count
            entries.append(entry)
            return nil
        }
        let old = entries[oldest]
        entries[oldest] = entry
        last = oldest
        return old
    }

    mutating func removeAll() -> [Entry] {
        defer { entries = [] }
        return entries
    }
}

/// The Cookie field of a request, cached for the next request that gets the same cookies.
///
/// A class, because reading an element of an array copies it.
package final class CachedCookieField: Sendable {
    /// The place of a cookie in the store. The last use is written back there on eviction.
    struct Place: Sendable {
        let domain: String
        let created: UInt64
    }

    /// The maximum length of a cached path, in bytes.
    private static let longestPath = 256

    /// The encoded field; nil if there are no cookies.
    package let line: EncodedField?
    let places: [Place]
    /// The prefix of its URLs; without the path if all paths of the host get the same cookies.
    package let prefix: URLPrefix
    /// The time when the first of the cookies expires; `.max` if none expires.
    package let end: Int64

    /// Creates the cached field; nil if its path is too long to be worth the memory.
    init?(_ line: EncodedField?, _ found: [StoredCookie], _ query: CookieQuery) {
        guard !query.dependsOnPath || query.url.pathView.count <= Self.longestPath else { return nil }
        prefix = URLPrefix(query.url, query.dependsOnPath ? .path : .origin)
        self.line = line
        end = found.reduce(.max) { min($0, $1.cookie.expiration ?? .max) }
        places = found.map { Place(domain: $0.cookie.domain, created: $0.created) }
    }

    /// Returns true if a request to this URL gets the same cookies, as long as no cookie is added, removed or expires.
    /// All else depends on the host: if it is a name, and if it is this machine.
    func isFor(_ url: HTTPURL) -> Bool { prefix.matches(url) }

    func isExpired(at now: () -> Int64) -> Bool { end != .max && end <= now() }
}
