extension ParameterStyle {
    /// How numbers are written that are infinite or NaN.
    public enum NonFiniteFormat: Sendable {
        /// Not: encoding throws ``ParameterEncodingError/Code-swift.struct/nonFiniteNumber``.
        case error
        /// `inf`, `-inf` and `nan`, as AFNetworking has it.
        case words
        /// As null is, by the style's ``ParameterStyle/nulls``.
        case null
    }
}

extension ParameterStyle.NonFiniteFormat: NamedChoice {
    static var named: [Self] { [.error, .words, .null] }

    var name: String? {
        switch self {
        case .error: "error"
        case .words: "words"
        case .null: "null"
        }
    }
}
