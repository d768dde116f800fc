public import SockeyeEssentials

/// A typed value of a parameter. A ``RequestParameters/Style`` converts it to text.
///
/// Array and dictionary literals omit nil, but keep ``null``.
@nonexhaustive public enum ParameterValue: Sendable {
    /// No value: in the standard style a key without `=`.
    case null
    /// True or false: in the standard style `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A whole number beyond `Int64.max`. Conversions turn smaller numbers into ``integer(_:)``, so that equal whole
    /// numbers become equal values.
    case unsignedInteger(UInt64)
    /// A binary floating-point number. Infinity and NaN are an error unless the style accepts them.
    case double(Double)
    /// A decimal number, exact.
    case decimal(Decimal)
    /// Text.
    case string(String)
    /// Bytes: in the standard style base64.
    case data(Data)
    /// A point in time: in the standard style ISO 8601.
    case date(Date)
    /// Values in order: in the standard style the key repeated for each.
    case array([ParameterValue])
    /// Values without order, written sorted: in the standard style the key repeated for each.
    case set(Set<ParameterValue>)
    /// Named values: in the standard style `key[name]` for each, sorted by name.
    case dictionary(RequestParameters)
    /// A value of a type that parameters cannot hold; `type` is the name of that type. Such a value can occur in an
    /// array or dictionary within a literal of ``RequestParameters``, because the compiler accepts elements of any type
    /// there (see ``ParameterConvertible``). Encoding it is an error.
    case unsupported(type: String)

    /// Converts a whole number of any type. A number beyond 64 bits becomes a ``decimal(_:)`` if a `Decimal` can hold
    /// it exactly, otherwise a ``double(_:)``.
    public static func number(_ value: some BinaryInteger) -> ParameterValue {
        if let integer = Int64(exactly: value) { return .integer(integer) }
        if let integer = UInt64(exactly: value) { return .unsignedInteger(integer) }
        // `Decimal(string:)` drops digits that exceed the 128-bit significand of a `Decimal`. The comparison detects
        // that.
        let text = String(value)
        if let decimal = Decimal(string: text), decimal.description == text { return .decimal(decimal) }
        return .double(Double(value))
    }

    /// Converts a floating-point number of any type by its shortest decimal form: the `Float` 0.1 becomes the `Double`
    /// 0.1.
    public static func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ value: Number)
        -> ParameterValue
    {
        .double(Double(String(value)) ?? Double(value))
    }

    /// Converts a decimal number.
    public static func number(_ value: Decimal) -> ParameterValue { .decimal(value) }
}

extension ParameterValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string, unchanged.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A floating-point number.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// An array; nil elements are omitted. A set is written `.set(["a", "b"])`.
    public init(arrayLiteral elements: ParameterValue?...) { self = .array(elements.compactMap { $0 }) }

    /// Nested parameters; nil values are omitted. If a key occurs twice, the last value counts.
    public init(dictionaryLiteral elements: (String, ParameterValue?)...) {
        self = .dictionary(RequestParameters(omittingNil: elements))
    }
}
