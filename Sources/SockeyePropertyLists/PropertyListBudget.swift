import SockeyeSerialization

/// The memory and depth limits of a list, against lists that refer to the same object many times ("billion laughs").
struct PropertyListBudget {
    /// The maximum depth of nested containers.
    static let maximumDepth = RequestParameters.maximumDepth

    private var remainingBytes: Int

    init(size: Int) {
        remainingBytes = max(1 << 20, size.multipliedReportingOverflow(by: 16).partialValue)
    }

    /// Counts one value with `size` bytes of content.
    mutating func spend(_ size: Int, at offset: Int) throws(PropertyListError) {
        remainingBytes -= 1 + size
        guard remainingBytes >= 0 else {
            throw PropertyListError(
                .tooLarge, "the decoded list is larger than 1 MiB and 16 times the size of its text or bytes",
                at: offset)
        }
    }

    /// Checks a key for excessive combining marks, because keys are compared with each other.
    static func check(key: String, at offset: Int) throws(PropertyListError) {
        guard CombiningRuns.excess(in: key.utf8.span, readsEscapes: false) == nil else {
            throw PropertyListError(
                .malformed, "more than \(CombiningRuns.limit) combining marks follow each other in a key", at: offset)
        }
    }

    static func check(depth: Int, at offset: Int) throws(PropertyListError) {
        guard depth < maximumDepth else {
            throw PropertyListError(.tooDeep, "containers are nested deeper than \(maximumDepth)", at: offset)
        }
    }
}
