public import SockeyeEssentials

/// Any JSON value (RFC 8259), for JSON of a shape that is unknown at compile time.
///
/// ```swift
/// let body: JSONValue = [
///     "name": "Ada", "tags": ["a", "b"], "age": 36, "boss": nil
/// ]
/// let reply = try JSONValue(parsing: bytes)
/// let city = reply["address"]?["city"]?.string
/// ```
///
/// Objects keep the order of their members, and numbers keep all digits. This type is the counterpart of the object
/// trees of `JSONSerialization` that AFNetworking's JSON serializers return.
///
/// Do not nest values that you build yourself deeper than 200 levels. Freeing a value takes about 250 bytes of stack
/// per level, on the thread that releases the last reference, and may overflow the stack. A parsed value is nested no
/// deeper than ``JSONValue/ReadingOptions/maximumDepth``. With the default depth of 200, 64 KiB of stack are enough to
/// free it. Parsing, comparing, hashing and writing do not recurse. Foundation's coders need up to 2 KiB per level;
/// encoding and decoding through them throws if a value is nested deeper than the thread's stack allows.
///
/// This enum never gains a case: JSON has these six kinds of values (RFC 8259 section 3).
public enum JSONValue: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number of any size and precision.
    case number(JSONValue.Number)
    /// A string, with its escapes decoded.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONValue.Object)
}

extension JSONValue {
    /// A Boolean.
    public init(_ value: Bool) {
        self = .bool(value)
    }

    /// A number; an integer of any size is kept exactly.
    public init(_ value: some BinaryInteger) {
        self = .number(JSONValue.Number(value))
    }

    /// A number with as many digits as are needed to read `value` back; nil for infinities and NaN, which JSON lacks.
    public init?(_ value: Double) {
        guard let number = JSONValue.Number(value) else { return nil }
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
    /// The value as JSON in one line, with unescaped slashes.
    public var description: String { string(options: .withoutEscapingSlashes) }
}

extension JSONValue {
    /// True if this is `null`.
    public var isNull: Bool { self == .null }

    /// True if this is neither an object nor an array. RFC 4627 allowed only an object or an array at the top level,
    /// and some peers still reject other values.
    public var isFragment: Bool {
        switch self {
        case .object, .array: false
        case .null, .bool, .number, .string: true
        }
    }

    /// The Boolean; nil if this is not a Boolean.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number; nil if this is not a number.
    public var number: JSONValue.Number? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// The number as an integer, for example 1 for `1.0` and 100 for `1e2`; nil if this is not a number that an `Int`
    /// holds exactly.
    public var int: Int? { number?.integer() }

    /// The nearest `Double`; nil if this is not a number, or exceeds the range of `Double`.
    public var double: Double? { number?.double }

    /// The string; nil if this is not a string.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The elements; nil if this is not an array.
    public var array: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The members; nil if this is not an object.
    public var object: JSONValue.Object? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    /// The member named `key`; nil if there is no such member, or if this is not an object. For a member with
    /// the JSON value `null`, the result is ``null`` and not nil.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The element at `index`, counted from 0; nil if there is no such element, or if this is not an array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

// Heterogeneous literals, nested and with nil: `["a": [1, 2.5, "x"], "n": nil]`.

extension JSONValue: ExpressibleByNilLiteral {
    /// `null`
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// `true` or `false`
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// An integer.
    public init(integerLiteral value: Int64) {
        self = .number(JSONValue.Number(value))
    }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// A number. A literal that exceeds the range of `Double` becomes `null`; the compiler warns about such a literal.
    public init(floatLiteral value: Double) {
        self = JSONValue(value) ?? .null
    }
}

extension JSONValue: ExpressibleByStringInterpolation {
    /// A string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// An array.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// An object with the members in their order. If a key occurs twice, the last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONValue.Object(elements))
    }
}

extension JSONValue {
    /// Creates the value that `encoder` makes of a Swift value.
    ///
    /// - Throws: The errors of the encoder. Also ``JSONError`` if its output exceeds the limits of the default
    ///   ``JSONValue/ReadingOptions`` (200 levels and 64 MiB), or has too many combining marks in a row.
    public init(encoding value: some Encodable, with encoder: JSONEncoder = JSONEncoder()) throws {
        try self.init(parsing: encoder.encode(value))
    }

    /// Decodes a Swift value from this JSON value.
    ///
    /// The value is converted to text first, so every option of the decoder applies.
    ///
    /// - Throws: `DecodingError`, and other errors that the type's own `init(from:)` throws.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, with decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, checking: Data(utf8(options: [])))
    }
}

extension JSONValue {
    /// Returns the value without object members and array elements that are `null`, at any depth. A `null` at the top
    /// stays.
    ///
    /// This is like `AFJSONObjectByRemovingKeysWithNullValues` and `removesKeysWithNullValues` of AFNetworking 4.
    /// Version 3 kept `null` in arrays.
    public func removingNulls() -> JSONValue {
        var open: [OpenCopy] = []
        var current = self
        while true {
            if let container = OpenCopy(of: current) {
                open.append(container)
            } else if open.isEmpty {
                return current
            } else {
                open[open.count - 1].done.append(current)
            }
            while let last = open.last, last.rest.isEmpty {
                open.removeLast()
                guard !open.isEmpty else { return last.value }
                open[open.count - 1].done.append(last.value)
            }
            current = open[open.count - 1].rest.removeFirst()
        }
    }
}

extension JSONValue.Object {
    /// Returns the object without members and elements that are `null`, at any depth; see
    /// ``JSONValue/removingNulls()``.
    public func removingNulls() -> JSONValue.Object {
        JSONValue.object(self).removingNulls().object ?? self
    }
}

/// A container that ``JSONValue/removingNulls()`` is copying. A stack of such containers replaces recursion.
private struct OpenCopy {
    /// The keys of the members that are not null; nil for an array.
    private let keys: [String]?
    /// The parts that are not null and not copied yet.
    var rest: ArraySlice<JSONValue>
    /// The finished copies of parts.
    var done: [JSONValue] = []

    /// Nil for a value that is neither an array nor an object.
    init?(of value: JSONValue) {
        switch value {
        case .null, .bool, .number, .string: return nil
        case .array(let elements):
            keys = nil
            rest = elements.filter { !$0.isNull }[...]
        case .object(let object):
            let members = object.members.filter { !$0.value.isNull }
            keys = members.map(\.key)
            rest = members.map(\.value)[...]
        }
    }

    /// The copy of the container, once `rest` is empty.
    var value: JSONValue {
        guard let keys else { return .array(done) }
        return .object(JSONValue.Object(uniqueMembers: zip(keys, done).map { (key: $0, value: $1) }))
    }
}
