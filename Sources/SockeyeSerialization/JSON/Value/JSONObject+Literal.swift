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
