extension ParameterStyle {
    /// How the names in keys are spelled; each name of a nested key on its own.
    public enum KeyCase: Sendable {
        /// As they are, as AFNetworking has it.
        case unchanged
        /// `baseURLString` becomes `base_url_string`.
        case snakeCase
        /// `baseURLString` becomes `base-url-string`.
        case kebabCase
        /// All letters in lower case.
        case lowercased
        /// All letters in upper case.
        case uppercased
        /// The first letter in upper case.
        case capitalized
        /// What a closure makes of a name, before percent-encoding.
        case custom(@Sendable (_ name: String) -> String)
    }
}

extension ParameterStyle.KeyCase: NamedChoice {
    static var named: [Self] { [.unchanged, .snakeCase, .kebabCase, .lowercased, .uppercased, .capitalized] }

    var name: String? {
        switch self {
        case .unchanged: "unchanged"
        case .snakeCase: "snakeCase"
        case .kebabCase: "kebabCase"
        case .lowercased: "lowercased"
        case .uppercased: "uppercased"
        case .capitalized: "capitalized"
        case .custom: nil
        }
    }
}
