extension ParameterStyle {
    /// The keys of the elements of arrays, in order.
    public enum ArrayKeys: Sendable {
        /// `key[]` for each, as AFNetworking has it.
        case brackets
        /// The key itself for each.
        case repeated
        /// `key[0]`, `key[1]` and so on.
        case indices
        /// A key made of the array's key and the index of the element, before percent-encoding.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)
    }
}

extension ParameterStyle.ArrayKeys: NamedChoice {
    static var named: [Self] { [.brackets, .repeated, .indices] }

    var name: String? {
        switch self {
        case .brackets: "brackets"
        case .repeated: "repeated"
        case .indices: "indices"
        case .custom: nil
        }
    }
}
