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
        self = .dictionary(Parameters(elements))
    }
}
