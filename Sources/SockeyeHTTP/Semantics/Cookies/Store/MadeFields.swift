/// The Cookie fields that were made last: most clients ask few hosts, again and again.
///
/// All of them are forgotten as soon as a cookie comes, changes or goes.
struct MadeFields: Sendable {
    /// A field, and when it was used last.
    struct Entry: Sendable {
        let field: MadeField
        var used: UInt64
    }

    /// How many are kept; the one that was used least recently makes room.
    private static let capacity = 8

    private var entries: [Entry] = []
    /// The one that was taken last.
    private var last = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Where the field for a URL is.
    func index(for url: HTTPURL) -> Int? {
        // Through a span, since an element of an array is retained when it is looked at.
        let span = entries.span
        if last < span.count, span[last].field.isFor(url) { return last }
        return entries.firstIndex { $0.field.isFor(url) }
    }

    func isOver(_ index: Int, at now: () -> Int64) -> Bool { entries[index].field.isOver(at: now) }

    /// Takes a field that is there.
    mutating func use(_ index: Int, at use: UInt64) -> MadeField {
        last = index
        entries[index].used = use
        return entries[index].field
    }

    /// Where a field is, if it is still there.
    func index(of field: MadeField) -> Int? { entries.firstIndex { $0.field === field } }

    /// Keeps a field.
    ///
    /// - Returns: One that had to make room for it.
    mutating func insert(_ field: MadeField, used: UInt64) -> Entry? {
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
