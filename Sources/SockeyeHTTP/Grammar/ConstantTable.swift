import CSockeyeData

/// A constant array of C, read in place.
///
/// Generated data is C and not Swift: a large array literal takes the Swift compiler seconds, and the program a copy on
/// the heap at first use.
@safe struct ConstantTable<Element>: RandomAccessCollection, Sendable {
    private nonisolated(unsafe) let elements: UnsafeBufferPointer<Element>

    /// - Parameter table: A table of elements of this type.
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
        var (low, high) = (0, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if keyOf(self[middle]) <= key { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? self[low - 1] : nil
    }
}
