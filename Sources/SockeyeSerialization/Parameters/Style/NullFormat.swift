extension ParameterStyle {
    /// How null is written.
    public enum NullFormat: Sendable {
        /// The key without `=`, as AFNetworking has it.
        case bareKey
        /// The key with `=` and nothing behind it.
        case empty
        /// Not at all.
        case dropped
    }
}

extension ParameterStyle.NullFormat: NamedChoice {
    static var named: [Self] { [.bareKey, .empty, .dropped] }

    var name: String? {
        switch self {
        case .bareKey: "bareKey"
        case .empty: "empty"
        case .dropped: "dropped"
        }
    }
}
