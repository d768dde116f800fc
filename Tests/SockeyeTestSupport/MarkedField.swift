import Testing

/// A field whose value has so many combining marks that Swift takes minutes to compare or hash it: it sorts them in
/// quadratic time.
package struct MarkedField: CustomTestStringConvertible, Sendable {
    package let testDescription: String
    private let reads: @Sendable (String) throws -> Bool

    /// - Parameter reads: Returns true if a field that contains the argument is read correctly.
    package init(_ testDescription: String, _ reads: @escaping @Sendable (String) throws -> Bool) {
        self.testDescription = testDescription
        self.reads = reads
    }

    /// Returns true if the field is read correctly with 200,000 combining marks.
    package func isRead() throws -> Bool {
        try reads(String(repeating: "\u{301}\u{323}", count: 100_000))
    }
}
