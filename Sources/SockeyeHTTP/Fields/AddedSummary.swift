/// What is known of all lines of ``AddedFields`` together.
struct AddedSummary: Sendable, BitwiseCopyable {
    /// The bytes of all lines.
    var end = 0
    /// How many there are.
    var count = 0
    /// The bytes of the memory.
    var capacity: Int

    private static let entrySize = MemoryLayout<AddedEntry>.stride
    /// How many bytes behind a line may be overwritten while it is written.
    private static let slack = 8

    /// How many bytes a line takes with its entry.
    @inline(__always)
    static func size(ofLine count: Int) -> Int { count + slack + entrySize }

    /// Whether there is room for a line of so many bytes.
    @inline(__always)
    func hasRoom(forLine line: Int) -> Bool { capacity - end - count * Self.entrySize >= Self.size(ofLine: line) }

    /// Where the entry of a line is.
    @inline(__always)
    func entry(_ index: Int) -> Int { capacity - (index + 1) * Self.entrySize }
}
