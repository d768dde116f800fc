extension JSONValue {
    /// The members of a JSON object in their order, each key once.
    ///
    /// Keys are compared as Swift compares strings: canonically equivalent ones are the same key, as in the dictionaries of
    /// `JSONSerialization`. Two objects are equal if they have the same members in whatever order (RFC 8259, 4).
    ///
    /// A value of its own rather than a `Dictionary`, because what was read in one order should be written in the same one,
    /// and because most objects are small: a run of members is quicker to build than a hash table and takes one allocation.
    public struct Object: Sendable {
        /// A member.
        public typealias Element = (key: String, value: JSONValue)

        private(set) var members: [Element] = []
        /// Where each key stands; empty as long as the members are few enough to look at each.
        private var positions: [String: Int] = [:]

        /// Up to this many members are searched one by one.
        private static let searchable = 16

        /// Makes an object without members.
        public init() {}

        /// Makes an object of `members`; of several with one key the last value counts, in the place of the first.
        public init(_ members: some Sequence<(String, JSONValue)>) {
            for (key, value) in members { self[key] = value }
        }

        /// The caller has made sure that no key comes twice.
        init(uniqueMembers members: [Element]) {
            self.members = members
            if members.count > Self.searchable { index() }
        }

        /// Nil if a key comes twice.
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

        /// Of several members with one key the first counts.
        init(firstOf members: [Element]) {
            for member in members where self[member.key] == nil { self[member.key] = member.value }
        }

        /// The value of the member named `key`, nil if there is none. Setting nil removes the member; to set a JSON `null`,
        /// say ``JSONValue/null``.
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
    /// The place of a member, counted from 0.
    public typealias Index = Int

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of members.
    public var endIndex: Int { members.count }

    /// The member at `position`, which must be in `0..<count`.
    public subscript(position: Int) -> Element { members[position] }
}

extension JSONValue.Object: ExpressibleByDictionaryLiteral {
    /// An object with the members in their order; of several with one key the last counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}

extension JSONValue.Object: CustomStringConvertible {
    /// The object as JSON in one line, slashes unescaped.
    public var description: String { JSONValue.object(self).description }
}

extension JSONValue.Object {
    /// A JSON object as a literal whose values may be variables: any `Encodable`, or nil for `null`.
    ///
    /// ```swift
    /// try await client.post(url, .json(["name": name, "age": age, "born": date, "parent": nil]))
    /// ```
    ///
    /// What writes it is an encoder, with its strategies for dates, data and keys, and without a promise about the order
    /// of the members. An array or an object in it whose own values differ in type is written `["a", 1] as JSONValue`.
    public struct Literal: Encodable, ExpressibleByDictionaryLiteral {
        private let members: [(key: String, value: (any Encodable)?)]

        /// Makes an object; of several members with one key the last counts.
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
