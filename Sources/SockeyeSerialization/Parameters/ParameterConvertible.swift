public import SockeyeEssentials

/// A value that may occur in a literal of ``RequestParameters``, and so in queries and forms.
///
/// Numbers, Booleans, text, dates, data, URLs and UUIDs conform, and so do optionals, arrays, sets and dictionaries of
/// them. An optional that is nil is omitted. For an enum with raw values, declaring the conformance is enough:
///
/// ```swift
/// enum SortOrder: String, ParameterConvertible { case name, newest }
/// let users = try await api.get(
///     "users", query: ["page": page, "sort": SortOrder.newest, "q": maybe],
///     as: [User].self)
/// ```
///
/// The values of a nested literal may differ in type: `["a": 1, "b": ["c": "x", "d": nil]]`. The compiler does not
/// check such values. If a value is neither a `ParameterConvertible` nor an enum with raw values, the call fails with
/// ``RequestParameters/EncodingError/Code-swift.struct/unsupportedValue``. With ``dictionary(_:)`` and ``array(_:)``
/// the compiler checks the values. These forms also avoid the compiler's warning about an optional variable among
/// values of different types:
///
/// ```swift
/// let found = try await api.get(
///     "users",
///     query: ["filter": .dictionary(["name": name, "page": page, "q": maybe])])
/// ```
///
/// No minor version adds a requirement; see <doc:Stability>.
public protocol ParameterConvertible {
    /// The corresponding parameter value; nil leaves this value out of the parameters.
    var parameterValue: ParameterValue? { get }
}

extension ParameterConvertible where Self == ParameterValue {
    // These members are disfavored, so that `ParameterValue.null` and similar expressions mean the enum cases.

    /// A key without a value. (Nil would omit the key.)
    @_disfavoredOverload
    public static var null: ParameterValue { ParameterValue.null }

    /// Nested parameters of any types; nil values are omitted.
    @_disfavoredOverload
    public static func dictionary(_ members: RequestParameters) -> ParameterValue { ParameterValue.dictionary(members) }

    /// Elements of any types in order; nil elements are omitted.
    @_disfavoredOverload
    public static func array(_ elements: [(any ParameterConvertible)?]) -> ParameterValue {
        ParameterValue.array(elements.compactMap { $0?.parameterValue })
    }
}

extension RawRepresentable where Self: ParameterConvertible, RawValue: ParameterConvertible {
    /// The parameter value of the raw value.
    public var parameterValue: ParameterValue? { rawValue.parameterValue }
}

extension Bool: ParameterConvertible {
    /// True or false.
    public var parameterValue: ParameterValue? { .bool(self) }
}

extension String: ParameterConvertible {
    /// Text.
    public var parameterValue: ParameterValue? { .string(self) }
}

extension Double: ParameterConvertible {
    /// A floating-point number.
    public var parameterValue: ParameterValue? { .double(self) }
}

extension Float: ParameterConvertible {
    /// A floating-point number, in its shortest decimal form.
    public var parameterValue: ParameterValue? { .number(self) }
}

extension Int: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue? { .integer(Int64(self)) }
}

extension Int8: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue? { .integer(Int64(self)) }
}

extension Int16: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue? { .integer(Int64(self)) }
}

extension Int32: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue? { .integer(Int64(self)) }
}

extension Int64: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue? { .integer(self) }
}

extension Int128: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue? { .number(self) }
}

extension UInt: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue? { .number(self) }
}

extension UInt8: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue? { .integer(Int64(self)) }
}

extension UInt16: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue? { .integer(Int64(self)) }
}

extension UInt32: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue? { .integer(Int64(self)) }
}

extension UInt64: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue? { .number(self) }
}

extension UInt128: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue? { .number(self) }
}

extension Date: ParameterConvertible {
    /// A point in time.
    public var parameterValue: ParameterValue? { .date(self) }
}

extension Data: ParameterConvertible {
    /// Bytes.
    public var parameterValue: ParameterValue? { .data(self) }
}

extension Decimal: ParameterConvertible {
    /// A decimal number, exact.
    public var parameterValue: ParameterValue? { .decimal(self) }
}

extension URL: ParameterConvertible {
    /// Text.
    public var parameterValue: ParameterValue? { .string(absoluteString) }
}

extension UUID: ParameterConvertible {
    /// Text, in upper case.
    public var parameterValue: ParameterValue? { .string(uuidString) }
}

extension RequestParameters: ParameterConvertible {
    /// Nested parameters.
    public var parameterValue: ParameterValue? { .dictionary(self) }
}

extension ParameterValue: ParameterConvertible {
    /// The value itself.
    public var parameterValue: ParameterValue? { self }
}

extension Substring: ParameterConvertible {
    /// Text.
    public var parameterValue: ParameterValue? { .string(String(self)) }
}

extension Character: ParameterConvertible {
    /// Text.
    public var parameterValue: ParameterValue? { .string(String(self)) }
}

// The following extensions accept elements of any type, because Swift infers `Any` if the elements of a literal differ
// in type.

extension Optional: ParameterConvertible {
    /// The parameter value of the wrapped value; nil if there is no wrapped value.
    public var parameterValue: ParameterValue? {
        guard let self else { return nil }
        return ParameterValue.converting(self)
    }
}

extension Array: ParameterConvertible {
    /// Values in order; nil elements are omitted.
    public var parameterValue: ParameterValue? { .array(ParameterValue.converting(elements: self)) }
}

extension Set: ParameterConvertible {
    /// Values without order.
    public var parameterValue: ParameterValue? { .set(Set<ParameterValue>(ParameterValue.converting(elements: self))) }
}

extension Dictionary: ParameterConvertible where Key == String {
    /// Named values; nil values are omitted.
    public var parameterValue: ParameterValue? {
        var members: [(String, ParameterValue)] = []
        members.reserveCapacity(count)
        for (name, value) in self {
            guard let value = ParameterValue.converting(value) else { continue }
            members.append((name, value))
        }
        return .dictionary(RequestParameters(members))
    }
}

extension ParameterValue {
    /// Converts the elements of an array or a set; nil elements are omitted.
    fileprivate static func converting<Elements: Collection>(elements: Elements) -> [ParameterValue] {
        var values: [ParameterValue] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            guard let value = converting(element) else { continue }
            values.append(value)
        }
        return values
    }

    /// Converts a value of any type. Returns nil for a value to omit, such as an optional that is nil, and
    /// ``unsupported(type:)`` for a value of a type that cannot be converted.
    fileprivate static func converting<Value>(_ value: Value) -> ParameterValue? {
        if let value = value as? any ParameterConvertible { return value.parameterValue }
        if let value = value as? any RawRepresentable, let raw = value.rawValue as? any ParameterConvertible {
            return raw.parameterValue
        }
        return .unsupported(type: "\(type(of: value as Any))")
    }
}
