extension ParameterValue {
    /// The value as plain text in the standard style: a string as it is, a date in ISO 8601, data in Base64.
    ///
    /// Nil for ``null``, for collections, and for what has no text, such as an infinite number. ``description`` is the value as
    /// a literal has it, with quotation marks.
    public var plainText: String? {
        switch self {
        case .null, .array, .set, .dictionary: nil
        default: if case .text(let text)? = try? ScalarText(self, .standard) { text } else { nil }
        }
    }
}
