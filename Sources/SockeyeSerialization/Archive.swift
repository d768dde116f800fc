import SockeyeCore

/// The archive format of a settings type: an object with a member for each property, named like the property.
///
/// Reading is partial: properties that the archive lacks keep their values. Writing includes every property, unless its
/// ``ArchiveMember`` omits it. Nil is usually written as null, because nil often means something other than the
/// default, such as no deadline or no limit.
package struct Archive<Root: Sendable>: Sendable {
    private let members: [ArchiveMember<Root>]

    package init(_ members: ArchiveMember<Root>...) {
        self.members = members
    }

    /// Sets the properties that the archive has. The others keep their values in `root`.
    package func update(_ root: inout Root, from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyCodingKey.self)
        for member in members where container.contains(member.key) { try member.read(container, &root) }
    }

    /// Returns a copy of `defaults` in which each property that the archive contains has the archive's value.
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
    /// Reads the whole value as text.
    package func text() throws -> String { try singleValueContainer().decode(String.self) }

    /// Reads one of `values` by its name.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for an unknown name.
    package func value<Value>(named values: [(name: String, value: Value)], kind: String) throws -> Value {
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
    /// The error for a value that an archive cannot hold, such as a closure, or must not show, such as a private key.
    package static func unarchivable(_ reason: String, at path: [any CodingKey]) -> EncodingError {
        .invalidValue(reason, Context(codingPath: path, debugDescription: reason))
    }
}

extension DecodingError {
    /// The error for an unknown name.
    ///
    /// - Parameter what: A noun for the named thing, such as `method`.
    package static func unknown(_ what: String, at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(Context(codingPath: path, debugDescription: "unknown \(what)"))
    }
}

/// A property of settings and its name in an ``Archive``.
package struct ArchiveMember<Root: Sendable>: Sendable {
    package typealias Source = KeyedDecodingContainer<AnyCodingKey>
    package typealias Target = KeyedEncodingContainer<AnyCodingKey>

    let key: AnyCodingKey
    let read: @Sendable (Source, inout Root) throws -> Void
    let write: @Sendable (Root, inout Target) throws -> Void

    package init(
        _ name: String, read: @escaping @Sendable (Source, AnyCodingKey, inout Root) throws -> Void,
        write: @escaping @Sendable (Root, AnyCodingKey, inout Target) throws -> Void
    ) {
        let key = AnyCodingKey(stringValue: name)
        self.key = key
        self.read = { source, root in try read(source, key, &root) }
        self.write = { root, target in try write(root, key, &target) }
    }

    /// A value that is always written. An optional value that is nil is written as null.
    package static func value<Value: Codable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable
    ) -> Self {
        Self(name) { source, key, root in
            root[keyPath: path] = try source.decode(Value.self, forKey: key)
        } write: { root, key, target in
            try target.encode(root[keyPath: path], forKey: key)
        }
    }

    /// A value that is written unless it equals `standard`.
    package static func value<Value: Codable & Sendable & Equatable>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, unless standard: Value
    ) -> Self {
        Self(name) { source, key, root in
            root[keyPath: path] = try source.decode(Value.self, forKey: key)
        } write: { root, key, target in
            if root[keyPath: path] != standard { try target.encode(root[keyPath: path], forKey: key) }
        }
    }

    /// A value that is omitted if nil. A null in the archive is read as nil.
    package static func optional<Value: Codable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Root, Value?> & Sendable
    ) -> Self {
        Self(name) { source, key, root in
            root[keyPath: path] = try source.decode(Value?.self, forKey: key)
        } write: { root, key, target in
            try target.encodeIfPresent(root[keyPath: path], forKey: key)
        }
    }

    /// A duration in seconds.
    package static func seconds(_ name: String, _ path: any WritableKeyPath<Root, Duration> & Sendable) -> Self {
        Self(name) { source, key, root in
            root[keyPath: path] = try source.decode(ArchivedSeconds.self, forKey: key).duration
        } write: { root, key, target in
            try target.encode(ArchivedSeconds(duration: root[keyPath: path]), forKey: key)
        }
    }

    /// A duration in seconds; nil is written as null, or omitted if `omitsNil` is true.
    package static func seconds(
        _ name: String, _ path: any WritableKeyPath<Root, Duration?> & Sendable, omitsNil: Bool = false
    ) -> Self {
        Self(name) { source, key, root in
            root[keyPath: path] = try source.decode(ArchivedSeconds?.self, forKey: key)?.duration
        } write: { root, key, target in
            let seconds = root[keyPath: path].map { ArchivedSeconds(duration: $0) }
            if seconds != nil || !omitsNil { try target.encode(seconds, forKey: key) }
        }
    }

    /// A duration in seconds that is omitted if nil. `unlimited` is written as null, and null is read as `unlimited`.
    package static func seconds(
        _ name: String, _ path: any WritableKeyPath<Root, Duration?> & Sendable, null unlimited: Duration
    ) -> Self {
        Self(name) { source, key, root in
            root[keyPath: path] = try source.decode(ArchivedSeconds?.self, forKey: key)?.duration ?? unlimited
        } write: { root, key, target in
            guard let duration = root[keyPath: path] else { return }
            try target.encode(duration == unlimited ? nil : ArchivedSeconds(duration: duration), forKey: key)
        }
    }

    /// Returns this member, written only if a condition holds.
    package func written(where condition: @escaping @Sendable (Root) -> Bool) -> Self {
        let member = self
        return Self(key.stringValue) { source, _, root in
            try member.read(source, &root)
        } write: { root, _, target in
            if condition(root) { try member.write(root, &target) }
        }
    }

    /// Nested settings; an archive may contain only some of them.
    package static func nested<Value: Encodable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ archive: Archive<Value>
    ) -> Self {
        Self(name) { source, key, root in
            try archive.update(&root[keyPath: path], from: source.superDecoder(forKey: key))
        } write: { root, key, target in
            try target.encode(root[keyPath: path], forKey: key)
        }
    }
}

/// A duration as a number of seconds. Numbers beyond ±2^62 are clamped when they are read.
private struct ArchivedSeconds: Codable {
    let duration: Duration

    init(duration: Duration) {
        self.duration = duration
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let seconds = try container.decode(Double.self)
        guard seconds.isFinite else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a finite number of seconds")
        }
        duration = .clampedSeconds(seconds)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(duration / .seconds(1))
    }
}
