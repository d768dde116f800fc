extension ParameterStyle {
    /// How spaces in keys and values are written.
    public enum SpaceFormat: Sendable {
        /// `%20`, as AFNetworking has it.
        case percentEncoded
        /// `+`, as browsers have it in forms. A plus sign is `%2B` either way.
        case plus
    }
}

extension ParameterStyle.SpaceFormat: NamedChoice {
    static var named: [Self] { [.percentEncoded, .plus] }

    var name: String? {
        switch self {
        case .percentEncoded: "percentEncoded"
        case .plus: "plus"
        }
    }
}
