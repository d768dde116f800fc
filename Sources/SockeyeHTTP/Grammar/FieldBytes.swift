/// Comparison of field values byte by byte.
///
/// `==` of strings is unsuitable for two reasons. It returns true for different bytes that are canonically equivalent
/// in Unicode, such as the letter é as one scalar and as two; to a server these are different values. And for long runs
/// of combining marks, `==`, `hasPrefix`, `switch` and dictionaries take quadratic time: seconds for a value of 60 KB.
package enum FieldBytes {
    /// Returns true if both values have the same bytes, or if both are nil.
    package static func areEqual(_ left: (some StringProtocol)?, _ right: (some StringProtocol)?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.utf8.elementsEqual(right.utf8)
    }

    /// Returns true if both lists have the same values in the same order.
    package static func areEqual(_ left: [String], _ right: [String]) -> Bool {
        left.elementsEqual(right) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Returns true if a value equals `lowercase`, ignoring the case of ASCII letters.
    static func isWord(_ value: some StringProtocol, _ lowercase: StaticString) -> Bool {
        lowercase.withUTF8Buffer { word in
            unsafe value.utf8.count == word.count
                && zip(value.utf8, word).allSatisfy { ByteClass.lowercased($0) == $1 }
        }
    }
}
