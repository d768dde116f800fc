/// Comparison of field values byte by byte.
///
/// `==` also returns true for different bytes that are canonically equivalent in Unicode, such as the letter é as one
/// scalar or as two. To a server these are different values.
enum FieldBytes {
    /// Returns true if both values have the same bytes, or if both are nil.
    static func areEqual(_ left: (some StringProtocol)?, _ right: (some StringProtocol)?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.utf8.elementsEqual(right.utf8)
    }
}
