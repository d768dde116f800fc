// What `Codable` conformances of settings share. Settings are archived by name; one that is missing is the default, and
// nil is written out, since for many of them it means something else than the default.

extension KeyedDecodingContainer {
    /// Replaces `value` if there is something under `key`.
    package func read<Value: Decodable>(_ key: Key, into value: inout Value) throws {
        if contains(key) { value = try decode(Value.self, forKey: key) }
    }
}

extension EncodingError {
    /// For what would be lost, or told to whoever reads the archive: closures, keys in memory.
    package static func unarchivable(_ reason: String, at path: [any CodingKey]) -> EncodingError {
        .invalidValue(reason, Context(codingPath: path, debugDescription: reason))
    }
}

extension DecodingError {
    /// For a name that is none of the known ones.
    package static func unknown(_ what: String, at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(Context(codingPath: path, debugDescription: "no \(what) has this name"))
    }
}
