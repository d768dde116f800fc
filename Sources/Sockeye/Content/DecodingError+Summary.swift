extension DecodingError {
    /// What the standard cases tell; nil of the unknown ones.
    private var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    var codingPath: [any CodingKey] { context?.codingPath ?? [] }

    /// What is wrong, without a word of the body.
    var summary: String {
        switch self {
        case .typeMismatch(let type, _): "no \(type)"
        case .valueNotFound(let type, _): "null or nothing where a \(type) was expected"
        case .keyNotFound(let key, _): "no key \(key.isWrittenInCode ? "'\(key.stringValue)'" : "of that name")"
        case .dataCorrupted: "damaged or not acceptable"
        @unknown default: "not decodable"
        }
    }
}

extension Collection<any CodingKey> {
    /// For example `items[3].name`.
    ///
    /// - Parameter discreet: Writes `*` for keys that come from the body, as those of a dictionary do.
    func pathText(discreet: Bool = false) -> String {
        var text = ""
        for key in self {
            if let index = key.intValue, [String(index), "Index \(index)"].contains(key.stringValue) {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + (discreet && !key.isWrittenInCode ? "*" : key.stringValue)
            }
        }
        return String(text.prefix(256))
    }
}

extension CodingKey {
    /// Whether the key is a plain case of an enum, as the keys of a type are. Others may be taken from the data.
    fileprivate var isWrittenInCode: Bool {
        let mirror = Mirror(reflecting: self)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
    }
}
