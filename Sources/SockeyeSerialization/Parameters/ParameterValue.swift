public import FoundationEssentials

/// A value of a parameter, with its type: how it is written is the ``RequestParameters/Style``'s business.
///
/// Literals and ``ParameterConvertible`` variables make most of them. An array or a dictionary in a literal of
/// ``RequestParameters`` whose own values differ in type is written `["a", 1] as ParameterValue`.
@nonexhaustive public enum ParameterValue: Sendable {
    /// No value: in the standard style the bare key.
    case null
    /// True or false: in the standard style 1 or 0.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A whole number beyond `Int64.max`; smaller ones are ``integer(_:)``, lest equal numbers differ.
    case unsignedInteger(UInt64)
    /// A binary floating-point number; it may be infinite or NaN, which styles refuse by default.
    case double(Double)
    /// A decimal number, exact.
    case decimal(Decimal)
    /// Text.
    case string(String)
    /// Bytes: in the standard style base64.
    case data(Data)
    /// A point in time.
    case date(Date)
    /// Values in order: in the standard style `key[]` for each.
    case array([ParameterValue])
    /// Values without order, written sorted: in the standard style `key` repeated.
    case set(Set<ParameterValue>)
    /// Named values: in the standard style `key[name]` for each, sorted by name.
    case dictionary(RequestParameters)

    /// A whole number of any type; one beyond 64 bits becomes a ``decimal(_:)``, or a ``double(_:)`` beyond 128.
    public static func number(_ value: some BinaryInteger) -> ParameterValue {
        if let integer = Int64(exactly: value) { return .integer(integer) }
        if let integer = UInt64(exactly: value) { return .unsignedInteger(integer) }
        return Decimal(string: String(value)).map(ParameterValue.decimal) ?? .double(Double(value))
    }

    /// A floating-point number of any type, by its shortest decimal form: 0.1 of a `Float` is 0.1.
    public static func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ value: Number)
        -> ParameterValue
    {
        .double(Double(String(value)) ?? Double(value))
    }

    /// A decimal number.
    public static func number(_ value: Decimal) -> ParameterValue { .decimal(value) }
}

extension ParameterValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string as it stands.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A floating-point number.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// No value.
    public init(nilLiteral: ()) { self = .null }

    /// An array. A set is written `.set(["a", "b"])`.
    public init(arrayLiteral elements: ParameterValue...) { self = .array(elements) }

    /// Nested parameters; of equal keys the last counts.
    public init(dictionaryLiteral elements: (String, ParameterValue)...) {
        self = .dictionary(RequestParameters(elements))
    }
}
