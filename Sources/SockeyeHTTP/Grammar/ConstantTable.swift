import CSockeyeData

/// A constant array of C, read in place.
///
/// The tables are generated as C, not as Swift: the Swift compiler takes seconds for a large array literal, and the
/// array would be made on the heap at its first use.
@safe struct ConstantTable<Element>: RandomAccessCollection, Sendable {
    private nonisolated(unsafe) let elements: UnsafeBufferPointer<Element>

    /// - Parameter table: A table with elements of the type `Element`.
    init(_ table: sockeye_table) {
        unsafe elements = UnsafeBufferPointer(
            start: table.elements.assumingMemoryBound(to: Element.self), count: table.count)
    }

    var startIndex: Int { 0 }
    var endIndex: Int { unsafe elements.count }

    subscript(index: Int) -> Element {
        precondition(index >= 0 && index < endIndex)
        return unsafe elements[index]
    }

    /// Returns the last element whose key is at most `key`, by binary search; nil if every key is greater. The elements
    /// must be sorted by key.
    @inline(__always)
    func last<Key: Comparable>(upTo key: Key, by keyOf: (Element) -> Key) -> Element? {
        guard let first, keyOf(first) <= key else { return nil }
        // The loop has no branch that depends on the data: the processor would often mispredict such a branch.
        var (low, count) = (0, endIndex)
        while count > 1 {
            let half = count / 2
            low = keyOf(self[low + half]) <= key ? low + half : low
            count -= half
        }
        return self[low]
    }
}
