/// An LRU cache of Cookie fields by URL prefix: most clients ask few hosts, again and again.
///
/// It is emptied as soon as a cookie is added, changed or removed.
struct CookieFieldCache: Sendable {
    /// A field, and when it was used last.
    struct Entry: Sendable {
        let field: CachedCookieField
        var used: UInt64
    }

    /// In entries.
    private static let capacity = 8

    private var entries: [Entry] = []
    /// The index of the most recently used entry.
    private var last = 0

    var isEmpty: Bool { entries.isEmpty }

    /// The index of the field for a URL.
    func index(for url: HTTPURL) -> Int? {
        // Through a span, since reading an element of an array retains it.
        let span = entries.span
        if last < span.count, span[last].field.isFor(url) { return last }
        return entries.firstIndex { $0.field.isFor(url) }
    }

    func isExpired(_ index: Int, at now: () -> Int64) -> Bool { entries[index].field.isExpired(at: now) }

    /// The field at an index, as a use of it.
    mutating func use(_ index: Int, at use: UInt64) -> CachedCookieField {
        last = index
        entries[index].used = use
        return entries[index].field
    }

    /// The index of a field, if it is still cached.
    func index(of field: CachedCookieField) -> Int? { entries.firstIndex { $0.field === field } }

    /// Caches a field.
    ///
    /// - Returns: The one that was evicted for it.
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
/// A class, since reading an element of an array copies it.
package final class CachedCookieField: Sendable {
    /// The place of a cookie in the store, to which the last use is written back on eviction.
    struct Place: Sendable {
        let domain: String
        let created: UInt64
    }

    /// The longest path that is cached, in bytes.
    private static let longestPath = 256

    /// Nil where there are no cookies.
    package let line: EncodedField?
    let places: [Place]
    /// The prefix of its URLs; without the path where all paths of the host get the same cookies.
    package let prefix: URLPrefix
    /// When the first of the cookies expires; `.max` where none does.
    package let end: Int64

    /// Nil where it is not worth the memory.
    init?(_ line: EncodedField?, _ found: [StoredCookie], _ query: CookieQuery) {
        guard !query.dependsOnPath || query.url.pathView.count <= Self.longestPath else { return nil }
        prefix = URLPrefix(query.url, query.dependsOnPath ? .path : .origin)
        self.line = line
        end = found.reduce(.max) { min($0, $1.cookie.expiration ?? .max) }
        places = found.map { Place(domain: $0.cookie.domain, created: $0.created) }
    }

    /// Whether a request to this URL gets the same, as long as no cookie comes, goes or ends. What else of the URL
    /// decides follows from its host: whether it is a name, and whether it is this machine.
    func isFor(_ url: HTTPURL) -> Bool { prefix.matches(url) }

    func isExpired(at now: () -> Int64) -> Bool { end != .max && end <= now() }
}
