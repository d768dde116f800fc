/// What belongs to the elements of a `Slab` but is reference-counted, at the same indices.
struct Column<Value: Sendable>: Sendable {
    private var values: [Value?] = []

    subscript(index: Int) -> Value {
        values[index]!
    }

    mutating func insert(_ value: Value, at index: Int) {
        while values.count <= index { values.append(nil) }
        values[index] = value
    }

    /// - Parameters:
    ///   - isLast: nothing is left in the slab.
    mutating func remove(at index: Int, isLast: Bool) {
        values[index] = nil
        if isLast && values.count > PoolMemory.kept { values = [] }
    }
}
