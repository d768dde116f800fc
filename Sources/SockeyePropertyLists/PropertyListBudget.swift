import SockeyeSerialization

/// The limits on the memory and depth of a decoded property list. The limit on memory protects against lists that refer
/// to the same object many times ("billion laughs").
struct PropertyListBudget {
    /// The maximum depth of nested containers.
    static let maximumDepth = RequestParameters.maximumDepth

    private var remainingBytes: Int

    /// The maximum ratio of a list's decoded size to its encoded size. Among ordinary lists, an array of references to
    /// the same number has the highest ratio: each reference takes 1 byte in the list and 24 bytes in memory.
    private static let ratio = 32
    /// The size of a container without its elements, including the overhead of the allocator.
    private static let containerSize = 64
    /// The additional cost in bytes of the first reference to a scalar object: an entry in the reader's table of known
    /// objects, and the allocation of the object's content.
    static let sharedSize = 96

    init(size: Int) {
        remainingBytes = max(1 << 20, size.multipliedReportingOverflow(by: Self.ratio).partialValue)
    }

    /// Deducts from the remaining memory the size of a container with room for `count` elements.
    mutating func spend(containerOf count: Int, isDictionary: Bool, at offset: Int) throws(PropertyListError) {
        let value = MemoryLayout<PropertyListValue>.stride
        let element = isDictionary ? MemoryLayout<String>.stride + value : value
        try spend(Self.containerSize + count * element, at: offset)
    }

    /// Deducts from the remaining memory one value with `size` bytes of content.
    mutating func spend(_ size: Int, at offset: Int) throws(PropertyListError) {
        remainingBytes -= 1 + size
        guard remainingBytes >= 0 else {
            throw PropertyListError(
                .tooLarge, "the decoded list is larger than both 1 MiB and \(Self.ratio) times its encoded size",
                at: offset)
        }
    }

    /// Refuses a text with many consecutive combining marks, because comparing and hashing such texts is slow.
    static func check(_ text: String, at offset: Int) throws(PropertyListError) {
        guard CombiningRuns.excess(in: text.utf8.span, readsEscapes: false) == nil else {
            throw PropertyListError(
                .malformed, "a text has more than \(CombiningRuns.limit) consecutive combining marks", at: offset)
        }
    }

    static func check(depth: Int, at offset: Int) throws(PropertyListError) {
        guard depth < maximumDepth else {
            throw PropertyListError(.tooDeep, "containers are nested deeper than \(maximumDepth)", at: offset)
        }
    }
}
