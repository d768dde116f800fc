package import SockeyeSerialization

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

    /// A value that is always written; nil as null.
    package static func value<Value: Codable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable
    ) -> Self {
        Self(name) { source, key, root in
            root[keyPath: path] = try source.decode(Value.self, forKey: key)
        } write: { root, key, target in
            try target.encode(root[keyPath: path], forKey: key)
        }
    }

    /// A value that is written where it differs from `standard`.
    package static func value<Value: Codable & Sendable & Equatable>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, unless standard: Value
    ) -> Self {
        Self(name) { source, key, root in
            root[keyPath: path] = try source.decode(Value.self, forKey: key)
        } write: { root, key, target in
            if root[keyPath: path] != standard { try target.encode(root[keyPath: path], forKey: key) }
        }
    }

    /// A value that is written where there is one.
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

    /// A duration in seconds; nil is written as null, or left out where `omitsNil` says so.
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

    /// The same, written only where a condition holds.
    package func written(where condition: @escaping @Sendable (Root) -> Bool) -> Self {
        let member = self
        return Self(key.stringValue) { source, _, root in
            try member.read(source, &root)
        } write: { root, _, target in
            if condition(root) { try member.write(root, &target) }
        }
    }

    /// Settings inside of others, of which an archive may have a part.
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

/// A duration as people write it: a number of seconds.
private struct ArchivedSeconds: Codable {
    let duration: Duration

    init(duration: Duration) {
        self.duration = duration
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let seconds = try container.decode(Double.self)
        guard seconds.isFinite, seconds.magnitude < 1e15 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number of seconds")
        }
        duration = .seconds(seconds)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(duration / .seconds(1))
    }
}
