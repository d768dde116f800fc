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
        self = .number(JSONNumber(value))
    }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// A number; `null` for a literal beyond every `Double`, of which the compiler warns.
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
    /// An object with the members in their order; of several with one key the last counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}
