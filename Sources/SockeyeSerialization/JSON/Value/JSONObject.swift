extension JSONValue {
    /// The members of a JSON object in the order in which they were read or added, with each key once.
    ///
    /// Keys are compared like Swift strings: canonically equivalent keys are the same key, as in the dictionaries of
    /// `JSONSerialization`. Two objects are equal if they have the same members in any order (RFC 8259, 4).
    ///
    /// The members are in an array because most objects are small. For them an array is faster to build than a hash
    /// table, and needs one allocation.
    public struct Object: Sendable {
        /// A member.
        public typealias Element = (key: String, value: JSONValue)

        private(set) var members: [Element] = []
        /// The index in `members` of each key; empty while the members are few enough for a linear search.
        private var positions: [String: Int] = [:]

        /// The maximum number of members for a linear search.
        private static let searchable = 16

        /// Creates an object without members.
        public init() {}

        /// Creates an object from `members`. If a key occurs twice, the last value counts, at the position of the
        /// first.
        public init(_ members: some Sequence<(String, JSONValue)>) {
            for (key, value) in members { self[key] = value }
        }

        /// Creates an object from members with distinct keys; not checked.
        init(uniqueMembers members: [Element]) {
            self.members = members
            if members.count > Self.searchable { index() }
        }

        /// Creates an object; nil if a key occurs twice.
        init?(ifUnique members: [Element]) {
            self.init(uniqueMembers: members)
            guard positions.isEmpty else {
                guard positions.count == members.count else { return nil }
                return
            }
            for later in members.indices {
                for earlier in 0..<later where members[earlier].key == members[later].key { return nil }
            }
        }

        /// Creates an object. If a key occurs twice, the first value counts.
        init(firstOf members: [Element]) {
            for member in members where self[member.key] == nil { self[member.key] = member.value }
        }

        /// The value of the member named `key`; nil if there is no such member.
        ///
        /// Assigning nil removes the member, in time linear in the number of members; assign ``JSONValue/null`` for a
        /// JSON `null`.
        public subscript(key: String) -> JSONValue? {
            get { position(of: key).map { members[$0].value } }
            set {
                switch (position(of: key), newValue) {
                case (let position?, let value?): members[position].value = value
                case (let position?, nil): remove(at: position)
                case (nil, let value?): append(key, value)
                case (nil, nil): break
                }
            }
        }

        /// The keys in their order.
        public var keys: [String] { members.map(\.key) }
        /// The values in the order of the keys.
        public var values: [JSONValue] { members.map(\.value) }

        private func position(of key: String) -> Int? {
            positions.isEmpty ? members.firstIndex { $0.key == key } : positions[key]
        }

        private mutating func append(_ key: String, _ value: JSONValue) {
            members.append((key, value))
            if !positions.isEmpty {
                positions[key] = members.count - 1
            } else if members.count > Self.searchable {
                index()
            }
        }

        private mutating func remove(at position: Int) {
            members.remove(at: position)
            positions = [:]
            if members.count > Self.searchable { index() }
        }

        private mutating func index() {
            positions.reserveCapacity(members.count)
            for (position, member) in members.enumerated() { positions[member.key] = position }
        }
    }
}

extension JSONValue.Object: RandomAccessCollection {
    /// The position of a member, counted from 0.
    public typealias Index = Int

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of members.
    public var endIndex: Int { members.count }

    /// The member at `position`, which must be in `0..<count`.
    public subscript(position: Int) -> Element { members[position] }
}

extension JSONValue.Object: ExpressibleByDictionaryLiteral {
    /// Creates an object with the members in their order. If a key occurs twice, the last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}

extension JSONValue.Object: CustomStringConvertible {
    /// The object as JSON in one line, with unescaped slashes.
    public var description: String { JSONValue.object(self).description }
}

extension JSONValue.Object {
    /// A literal of a JSON object. Each value is any `Encodable`, or nil for `null`.
    ///
    /// ```swift
    /// try await client.post(
    ///     url, .json(["name": name, "age": age, "born": date, "parent": nil]))
    /// ```
    ///
    /// The encoder's strategies for dates, data and keys apply. The order of the members is not guaranteed. The literal
    /// of a nested array or object needs a type if its values differ in type: `["a", 1] as JSONValue`.
    public struct Literal: Encodable, ExpressibleByDictionaryLiteral {
        private let members: [(key: String, value: (any Encodable)?)]

        /// Creates an object. If a key occurs twice, the last value counts.
        public init(dictionaryLiteral elements: (String, (any Encodable)?)...) {
            members = elements.map { (key: $0.0, value: $0.1) }
        }

        /// Writes the members.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            for member in members {
                if let value = member.value {
                    try container.encode(value, forKey: AnyCodingKey(stringValue: member.key))
                } else {
                    try container.encodeNil(forKey: AnyCodingKey(stringValue: member.key))
                }
            }
        }
    }
}
