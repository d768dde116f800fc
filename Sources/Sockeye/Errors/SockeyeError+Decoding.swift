extension SockeyeError {
    /// Where in a body decoding failed.
    ///
    /// Made of the body, so it may hold secrets, and is no part of ``SockeyeError/description``; that has the path as far
    /// as it consists of names in the code.
    public struct DecodingDetails: Sendable, Hashable {
        /// The way to the value that could not be decoded, such as `items[3].name`; empty for the whole body. At most
        /// 256 characters.
        public let codingPath: String
        /// What stands there, some 80 bytes on either side; of JSON with line and column. Nil where it cannot be told.
        public let excerpt: String?

        init(codingPath: String, excerpt: String?) {
            self.codingPath = codingPath
            self.excerpt = excerpt
        }
    }
}

extension SockeyeError.DecodingDetails: CustomStringConvertible, CustomReflectable {
    /// How long the path and the excerpt are, and no more: they are made of the body.
    public var description: String {
        "a path of \(codingPath.utf8.count) bytes, an excerpt of \(excerpt?.utf8.count ?? 0)"
    }

    /// The description alone, so that the dump of an error shows nothing of a body either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

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
