extension ParameterStyle {
    /// The keys of named values inside others.
    public enum NestedKeys: Sendable {
        /// `key[name]`, as AFNetworking has it.
        case brackets
        /// `key.name`.
        case dots
        /// A key made of the outer key and the name, before percent-encoding.
        case custom(@Sendable (_ key: String, _ name: String) -> String)
    }
}

extension ParameterStyle.NestedKeys: NamedChoice {
    static var named: [Self] { [.brackets, .dots] }

    var name: String? {
        switch self {
        case .brackets: "brackets"
        case .dots: "dots"
        case .custom: nil
        }
    }
}
