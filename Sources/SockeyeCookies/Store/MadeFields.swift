import SockeyeHTTP1

/// The Cookie fields that were made last: most clients ask few hosts, again and again.
///
/// All of them are forgotten as soon as a cookie comes, changes or goes.
struct MadeFields: Sendable {
    /// How many are kept; the one that was used least recently makes room.
    private static let capacity = 8

    private var fields: [MadeField] = []
    /// The one that was taken last.
    private var last = 0

    var isEmpty: Bool { fields.isEmpty }

    /// Where the field for a URL is.
    func index(for url: HTTPURL) -> Int? {
        // A span, so that no field is copied on the way.
        let fields = fields.span
        if last < fields.count, fields[last].isFor(url) { return last }
        for index in fields.indices where fields[index].isFor(url) { return index }
        return nil
    }

    func isOver(_ index: Int, at now: () -> Int64) -> Bool { fields.span[index].isOver(at: now) }

    /// Takes a field that is there.
    mutating func use(_ index: Int, at use: UInt64) -> String? {
        last = index
        fields[index].used = use
        return fields.span[index].text
    }

    /// Keeps a field.
    ///
    /// - Returns: One that had to make room for it.
    mutating func insert(_ field: MadeField) -> MadeField? {
        guard fields.count >= Self.capacity,
            let oldest = fields.indices.min(by: { fields[$0].used < fields[$1].used })
        else {
            last = fields.count
            fields.append(field)
            return nil
        }
        let old = fields[oldest]
        fields[oldest] = field
        last = oldest
        return old
    }

    mutating func removeAll() -> [MadeField] {
        defer { fields = [] }
        return fields
    }
}
