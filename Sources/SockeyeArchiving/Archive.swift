import SockeyeSerialization

/// The archive format of a settings type: an object with a member for each property, by name.
///
/// Reading is partial: what an archive lacks keeps the value that the settings have, which is the default. So an archive can
/// be written by hand and names only what differs. Writing names every property, nil as null, since for many of them null
/// means something else than the default (no deadline, no limit).
package struct Archive<Root: Sendable>: Sendable {
    private let members: [ArchiveMember<Root>]

    package init(_ members: ArchiveMember<Root>...) {
        self.members = members
    }

    /// Replaces what the archive has, and leaves the rest: a serializer's handling has defaults of its own.
    package func update(_ root: inout Root, from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyCodingKey.self)
        for member in members where container.contains(member.key) { try member.read(container, &root) }
    }

    /// `defaults`, with what the archive has in their place.
    package func read(from decoder: any Decoder, over defaults: Root) throws -> Root {
        var root = defaults
        try update(&root, from: decoder)
        return root
    }

    package func write(_ root: Root, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        for member in members { try member.write(root, &container) }
    }
}

extension Decoder {
    /// The whole value as text.
    package func text() throws -> String { try singleValueContainer().decode(String.self) }

    /// One of `values` by its name.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a name that none of them has.
    func value<Value>(named values: [(name: String, value: Value)], kind: String) throws -> Value {
        let text = try text()
        guard let found = values.first(where: { $0.name == text }) else {
            throw DecodingError.unknown(kind, at: codingPath)
        }
        return found.value
    }
}

extension Encoder {
    /// Writes text as the whole value.
    package func write(text: String) throws {
        var container = singleValueContainer()
        try container.encode(text)
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
