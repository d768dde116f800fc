import SockeyeSerialization

/// The limits on memory and depth that protect against lists that refer to the same object many times ("billion
/// laughs").
struct PropertyListBudget {
    /// The maximum depth of nested containers.
    static let maximumDepth = RequestParameters.maximumDepth

    private var remainingBytes: Int

    init(size: Int) {
        remainingBytes = max(1 << 20, size.multipliedReportingOverflow(by: 16).partialValue)
    }

    /// Deducts one value with `size` bytes of content from the limit on memory.
    mutating func spend(_ size: Int, at offset: Int) throws(PropertyListError) {
        remainingBytes -= 1 + size
        guard remainingBytes >= 0 else {
            throw PropertyListError(
                .tooLarge, "the decoded list is larger than 1 MiB and larger than 16 times the size of its bytes",
                at: offset)
        }
    }

    /// Refuses a key with many consecutive combining marks: keys are compared, and comparing such strings is slow.
    static func check(key: String, at offset: Int) throws(PropertyListError) {
        guard CombiningRuns.excess(in: key.utf8.span, readsEscapes: false) == nil else {
            throw PropertyListError(
                .malformed, "a key has more than \(CombiningRuns.limit) consecutive combining marks", at: offset)
        }
    }

    static func check(depth: Int, at offset: Int) throws(PropertyListError) {
        guard depth < maximumDepth else {
            throw PropertyListError(.tooDeep, "containers are nested deeper than \(maximumDepth)", at: offset)
        }
    }
}
