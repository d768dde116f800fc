public import FoundationEssentials

/// What can stand as a value in a literal of ``RequestParameters``, and so in queries and forms: a variable of any usual type.
///
/// Numbers, Booleans, text, dates, data, URLs and UUIDs do; optionals of these, for which nil is ``ParameterValue/null``;
/// arrays, sets and dictionaries of them. An enum with raw values joins by saying so:
///
/// ```swift
/// enum Order: String, ParameterConvertible { case name, age }
/// let users = try await api.get("users", query: ["page": page, "order": Order.name, "q": maybe], as: [User].self)
/// ```
///
/// No minor version adds a requirement; see <doc:Stability>.
public protocol ParameterConvertible {
    /// The value as parameters have it.
    var parameterValue: ParameterValue { get }
}

extension RawRepresentable where Self: ParameterConvertible, RawValue: ParameterConvertible {
    /// That of the raw value.
    public var parameterValue: ParameterValue { rawValue.parameterValue }
}

extension Bool: ParameterConvertible {
    /// True or false.
    public var parameterValue: ParameterValue { .bool(self) }
}

extension String: ParameterConvertible {
    /// Text.
    public var parameterValue: ParameterValue { .string(self) }
}

extension Double: ParameterConvertible {
    /// A floating-point number.
    public var parameterValue: ParameterValue { .double(self) }
}

extension Float: ParameterConvertible {
    /// A floating-point number, by its shortest decimal form.
    public var parameterValue: ParameterValue { .number(self) }
}

extension Int: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue { .integer(Int64(self)) }
}

extension Int8: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue { .integer(Int64(self)) }
}

extension Int16: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue { .integer(Int64(self)) }
}

extension Int32: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue { .integer(Int64(self)) }
}

extension Int64: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue { .integer(self) }
}

extension Int128: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue { .number(self) }
}

extension UInt: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue { .number(self) }
}

extension UInt8: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue { .integer(Int64(self)) }
}

extension UInt16: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue { .integer(Int64(self)) }
}

extension UInt32: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue { .integer(Int64(self)) }
}

extension UInt64: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue { .number(self) }
}

extension UInt128: ParameterConvertible {
    /// A whole number.
    public var parameterValue: ParameterValue { .number(self) }
}

extension Date: ParameterConvertible {
    /// A point in time.
    public var parameterValue: ParameterValue { .date(self) }
}

extension Data: ParameterConvertible {
    /// Bytes.
    public var parameterValue: ParameterValue { .data(self) }
}

extension Decimal: ParameterConvertible {
    /// A decimal number, exact.
    public var parameterValue: ParameterValue { .decimal(self) }
}

extension URL: ParameterConvertible {
    /// Text.
    public var parameterValue: ParameterValue { .string(absoluteString) }
}

extension UUID: ParameterConvertible {
    /// Text, in upper case.
    public var parameterValue: ParameterValue { .string(uuidString) }
}

extension RequestParameters: ParameterConvertible {
    /// Nested parameters.
    public var parameterValue: ParameterValue { .dictionary(self) }
}

extension ParameterValue: ParameterConvertible {
    /// The value itself.
    public var parameterValue: ParameterValue { self }
}

extension Substring: ParameterConvertible {
    /// Text.
    public var parameterValue: ParameterValue { .string(String(self)) }
}

extension Character: ParameterConvertible {
    /// Text.
    public var parameterValue: ParameterValue { .string(String(self)) }
}

extension Optional: ParameterConvertible where Wrapped: ParameterConvertible {
    /// Nil is ``ParameterValue/null``.
    public var parameterValue: ParameterValue { self?.parameterValue ?? .null }
}

extension Array: ParameterConvertible where Element: ParameterConvertible {
    /// Values in order.
    public var parameterValue: ParameterValue { .array(map(\.parameterValue)) }
}

extension Set: ParameterConvertible where Element: ParameterConvertible {
    /// Values without order.
    public var parameterValue: ParameterValue { .set(Set<ParameterValue>(map(\.parameterValue))) }
}

extension Dictionary: ParameterConvertible where Key == String, Value: ParameterConvertible {
    /// Named values.
    public var parameterValue: ParameterValue { .dictionary(RequestParameters(mapValues(\.parameterValue))) }
}
