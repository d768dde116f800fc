/// A duration as people write it: a number of seconds.
package struct ArchivedDuration: Codable {
    package let duration: Duration

    package init(_ duration: Duration) {
        self.duration = duration
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let seconds = try container.decode(Double.self)
        guard seconds.isFinite, seconds.magnitude < 1e15 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number of seconds")
        }
        duration = .seconds(seconds)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(duration / .seconds(1))
    }
}

extension KeyedDecodingContainer {
    package func read(_ key: Key, into duration: inout Duration) throws {
        if contains(key) { duration = try decode(ArchivedDuration.self, forKey: key).duration }
    }

    package func read(_ key: Key, into duration: inout Duration?) throws {
        if contains(key) { duration = try decode(ArchivedDuration?.self, forKey: key)?.duration }
    }
}

extension KeyedEncodingContainer {
    package mutating func write(_ duration: Duration?, _ key: Key) throws {
        try encode(duration.map { ArchivedDuration($0) }, forKey: key)
    }
}
