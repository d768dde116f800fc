public import SockeyeSerialization

extension RequestParameters.Style: Codable {
    private static let archive = Archive<Self>(
        .choice("arrays", \.arrays), .choice("sets", \.sets), .choice("nesting", \.nesting),
        .choice("booleans", \.booleans), .choice("dates", \.dates), .choice("data", \.data),
        .choice("nulls", \.nulls), .choice("nonFinite", \.nonFinite), .choice("keyCase", \.keyCase),
        .choice("spaces", \.spaces), .choice("order", \.order))

    /// Reads the name of the choice for each setting, such as `brackets` for `arrays`. A missing setting takes its
    /// value in the default style.
    ///
    /// - Throws: `DecodingError` for an unknown name.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes the name of the choice for each setting.
    ///
    /// - Throws: `EncodingError` if a choice is a closure, or if the whole style is a closure
    ///   (`RequestParameters.Style.custom`).
    public func encode(to encoder: any Encoder) throws {
        guard whole == nil else { throw EncodingError.unarchivable("the style is a closure", at: encoder.codingPath) }
        try Self.archive.write(self, to: encoder)
    }
}

/// A choice for one setting of a style, archived as its name. A choice that is a closure has no name and cannot be
/// archived.
private protocol NamedChoice: Sendable {
    /// All choices except closures.
    static var named: [Self] { get }
    /// The name of the choice; nil for a closure.
    var name: String? { get }
}

extension NamedChoice where Self: RawRepresentable<String> & CaseIterable {
    static var named: [Self] { Array(allCases) }
    var name: String? { rawValue }
}

extension ArchiveMember {
    /// A member that is archived as the name of a choice.
    fileprivate static func choice<Choice: NamedChoice>(
        _ name: String, _ path: any WritableKeyPath<Root, Choice> & Sendable
    ) -> Self {
        Self(name) { source, key, root in
            guard let text = try source.decodeIfPresent(String.self, forKey: key) else { return }
            guard let found = Choice.named.first(where: { $0.name == text }) else {
                let known = Choice.named.compactMap(\.name).joined(separator: ", ")
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: source, debugDescription: "unknown choice; the choices are \(known)")
            }
            root[keyPath: path] = found
        } write: { root, key, target in
            guard let text = root[keyPath: path].name else {
                throw EncodingError.unarchivable("the choice is a closure", at: target.codingPath + [key])
            }
            try target.encode(text, forKey: key)
        }
    }
}

extension RequestParameters.Style.SetKeys: NamedChoice {}
extension RequestParameters.Style.NullFormat: NamedChoice {}
extension RequestParameters.Style.NonFiniteFormat: NamedChoice {}
extension RequestParameters.Style.SpaceFormat: NamedChoice {}

extension RequestParameters.Style.ArrayKeys: NamedChoice {
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

extension RequestParameters.Style.NestedKeys: NamedChoice {
    static var named: [Self] { [.brackets, .dots] }

    var name: String? {
        switch self {
        case .brackets: "brackets"
        case .dots: "dots"
        case .custom: nil
        }
    }
}

extension RequestParameters.Style.KeyCase: NamedChoice {
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

extension RequestParameters.Style.KeyOrder: NamedChoice {
    static var named: [Self] { [.ascending, .ignoringCase] }

    var name: String? {
        switch self {
        case .ascending: "ascending"
        case .ignoringCase: "ignoringCase"
        case .custom: nil
        }
    }
}

extension RequestParameters.Style.BooleanFormat: NamedChoice {
    static var named: [Self] { [.digits, .words] }

    var name: String? {
        switch self {
        case .digits: "digits"
        case .words: "words"
        case .custom: nil
        }
    }
}

extension RequestParameters.Style.DateFormat: NamedChoice {
    static var named: [Self] {
        [.description, .iso8601, .iso8601WithMilliseconds, .secondsSince1970, .millisecondsSince1970]
    }

    var name: String? {
        switch self {
        case .description: "description"
        case .iso8601: "iso8601"
        case .iso8601WithMilliseconds: "iso8601WithMilliseconds"
        case .secondsSince1970: "secondsSince1970"
        case .millisecondsSince1970: "millisecondsSince1970"
        case .custom: nil
        }
    }
}

extension RequestParameters.Style.DataFormat: NamedChoice {
    static var named: [Self] { [.base64, .base64URL, .hexadecimal] }

    var name: String? {
        switch self {
        case .base64: "base64"
        case .base64URL: "base64URL"
        case .hexadecimal: "hexadecimal"
        case .custom: nil
        }
    }
}
