/// Any JSON value (RFC 8259), for JSON whose shape is not known when the program is written.
///
/// ```swift
/// let body: JSONValue = ["name": "Ada", "tags": ["a", "b"], "age": 36, "boss": nil]
/// let reply = try JSONValue(parsing: bytes)
/// let city = reply["address"]?["city"]?.string
/// ```
///
/// Objects keep the order of their members, numbers all their digits. The counterpart of the object trees of
/// `JSONSerialization` that AFNetworking's JSON serializers hand out.
///
/// Freeing a value takes some 250 bytes of stack for each level of its nesting, whichever thread it happens on; reading,
/// comparing, hashing and writing take none. What was parsed is nested no deeper than
/// ``JSONReadingOptions/maximumDepth``, with whose default 64 KiB are enough; do not build deeper values by hand. Coders of
/// Foundation's need up to 2 KiB a level: through them a value is refused that is nested deeper than the thread's stack
/// allows.
public enum JSONValue: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number of any size and precision.
    case number(JSONNumber)
    /// A string, without its escapes.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)
}

extension JSONValue {
    /// A Boolean.
    public init(_ value: Bool) {
        self = .bool(value)
    }

    /// A number, exact whatever the size of the integer.
    public init(_ value: some BinaryInteger) {
        self = .number(JSONNumber(value))
    }

    /// A number with as many digits as it takes to read `value` back; nil for infinities and NaN, which JSON lacks.
    public init?(_ value: Double) {
        guard let number = JSONNumber(value) else { return nil }
        self = .number(number)
    }

    /// A string.
    public init(_ value: some StringProtocol) {
        self = .string(String(value))
    }

    /// An array.
    public init(_ values: some Sequence<JSONValue>) {
        self = .array(Array(values))
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as JSON in one line, slashes unescaped.
    public var description: String { string(options: .withoutEscapingSlashes) }
}
