extension ParameterStyle {
    /// How true and false are written.
    public enum BooleanFormat: Sendable {
        /// `1` and `0`, as AFNetworking has it.
        case digits
        /// `true` and `false`.
        case words
        /// Text that a closure makes, before percent-encoding.
        case custom(@Sendable (Bool) -> String)
    }
}

extension ParameterStyle.BooleanFormat: NamedChoice {
    static var named: [Self] { [.digits, .words] }

    var name: String? {
        switch self {
        case .digits: "digits"
        case .words: "words"
        case .custom: nil
        }
    }
}
