extension Query.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string as it stands.
    public init(stringLiteral value: String) { self = .string(value) }

    /// An integer in decimal.
    public init(integerLiteral value: Int) { self = .string(String(value)) }

    /// A number in its shortest decimal form.
    public init(floatLiteral value: Double) { self = .string(String(value)) }

    /// 1 for true, 0 for false.
    public init(booleanLiteral value: Bool) { self = .string(value ? "1" : "0") }

    /// A key without value.
    public init(nilLiteral: ()) { self = .null }

    /// A list.
    public init(arrayLiteral elements: Query.Value...) { self = .array(elements) }

    /// Nested parameters; of equal keys the last counts.
    public init(dictionaryLiteral elements: (String, Query.Value)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }

    /// A number, in decimal.
    public static func number(_ value: some Numeric & CustomStringConvertible) -> Query.Value {
        .string(value.description)
    }
}
