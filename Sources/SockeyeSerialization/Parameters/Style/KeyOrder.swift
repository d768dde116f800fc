extension ParameterStyle {
    /// The order of the names at each level. There is always one: the same parameters give the same text, in every process,
    /// so that caches and signatures can rely on it.
    public enum KeyOrder: Sendable {
        /// By Unicode scalars, capitals before small letters, as AFNetworking has it.
        case ascending
        /// Without regard to case, then as ``ascending``.
        case ignoringCase
        /// By a closure that says whether the first name precedes the second, which must be a strict weak order; names that
        /// neither precedes are in ``ascending`` order. Names are those of ``ParameterStyle/keyCase``.
        case custom(@Sendable (_ first: String, _ second: String) -> Bool)
    }
}

extension ParameterStyle.KeyOrder: NamedChoice {
    static var named: [Self] { [.ascending, .ignoringCase] }

    var name: String? {
        switch self {
        case .ascending: "ascending"
        case .ignoringCase: "ignoringCase"
        case .custom: nil
        }
    }
}
