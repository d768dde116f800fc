/// Named values that go into a query, a form or another body: what is sent, without how it is written.
///
/// Made from a literal whose values may differ in type and be nested, from a dictionary, or from any `Encodable`:
///
/// ```swift
/// let literal: Parameters = ["page": 2, "tags": ["a", "b"], "filter": ["name": "x"], "flag": nil]
/// let encoded = try Parameters(Search(page: 2, tags: ["a", "b"]))
/// ```
///
/// A ``ParameterStyle`` turns them into text. With the standard one, which is AFNetworking's, the literal is
/// `filter[name]=x&flag&page=2&tags[]=a&tags[]=b`, with the brackets percent-encoded.
///
/// Keys have no order of their own; styles sort them. Keys that are canonically equivalent Unicode are one key, and of
/// equal keys in a literal the last counts.
///
/// Being `Codable`, parameters are encoded as what they stand for: a JSON encoder writes the object that the literal
/// looks like. What is decoded again is the kind that the format knows: from JSON a set comes back as an array, a
/// date and data as numbers and strings.
public struct Parameters: Sendable, Hashable {
    /// How deep values may be nested for encoding and decoding: 512 levels, as in Foundation's JSON.
    ///
    /// Every dictionary, array and set counts one level, the parameters themselves being the first.
    public static let maximumDepth = 512

    /// The values by name.
    public var values: [String: Value]

    /// Makes parameters of these values.
    public init(_ values: [String: Value] = [:]) {
        self.values = values
    }

    /// Whether there is no parameter.
    public var isEmpty: Bool { values.isEmpty }

    /// How many names there are at the outermost level.
    public var count: Int { values.count }

    /// The value of a name. Assigning nil removes the name; ``Value/null`` is a value.
    public subscript(_ name: String) -> Value? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Adds the parameters of another; where both have a name, the other's value counts, nested ones as a whole.
    public mutating func merge(_ other: Parameters) {
        values.merge(other.values) { _, new in new }
    }

    /// These parameters and those of another; where both have a name, the other's value counts.
    public func merging(_ other: Parameters) -> Parameters {
        var merged = self
        merged.merge(other)
        return merged
    }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Makes parameters from a literal; of equal keys the last counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        values = Dictionary(elements) { _, last in last }
    }
}
