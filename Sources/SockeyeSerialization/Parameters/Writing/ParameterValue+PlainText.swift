extension ParameterValue {
    /// The value as plain text in the standard style: a string unchanged, a date in ISO 8601, data in Base64.
    ///
    /// Nil for ``null``, for collections, and for values without text, such as infinite numbers. By contrast,
    /// ``description`` is the form of a literal, with quotation marks around strings.
    public var plainText: String? {
        switch self {
        case .null, .array, .set, .dictionary: nil
        default: if case .text(let text)? = try? ScalarText(self, .standard) { text } else { nil }
        }
    }
}
