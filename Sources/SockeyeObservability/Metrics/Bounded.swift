/// A map with a limited number of entries, plus one entry that all further keys share.
struct Bounded<Key: Hashable, Value> {
    private let limit: Int
    private var values: [Key: Value] = [:]
    private var overflow: Value?

    init(_ limit: Int) { self.limit = max(1, limit) }

    /// Returns the value of a key, or the shared value if the map is full.
    ///
    /// - Parameter make: Makes the value of a key, or the shared value if the key is nil.
    mutating func value(for key: Key, _ make: (Key?) -> Value) -> Value {
        if let value = values[key] { return value }
        if values.count < limit {
            let value = make(key)
            values[key] = value
            return value
        }
        let value = overflow ?? make(nil)
        overflow = value
        return value
    }
}
