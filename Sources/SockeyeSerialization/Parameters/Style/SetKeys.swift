extension ParameterStyle {
    /// The keys of the elements of sets. Elements are sorted by their text.
    public enum SetKeys: Sendable {
        /// The key itself for each, as AFNetworking has it.
        case repeated
        /// As for arrays.
        case likeArrays
    }
}

extension ParameterStyle.SetKeys: NamedChoice {
    static var named: [Self] { [.repeated, .likeArrays] }

    var name: String? {
        switch self {
        case .repeated: "repeated"
        case .likeArrays: "likeArrays"
        }
    }
}
