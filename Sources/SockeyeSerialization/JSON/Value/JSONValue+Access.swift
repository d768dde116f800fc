extension JSONValue {
    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// Whether this is neither object nor array: RFC 4627 allowed only those two at the top of a text, and some peers
    /// still do.
    public var isFragment: Bool {
        switch self {
        case .object, .array: false
        case .null, .bool, .number, .string: true
        }
    }

    /// The Boolean, if this is one. Numbers are none.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number, if this is one.
    public var number: JSONNumber? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// The number as an integer, if this is one that an `Int` holds exactly; `1.0` and `1e2` do.
    public var int: Int? { number?.integer() }

    /// The number nearest to this one that a `Double` holds; nil if this is no number, or one beyond all of them.
    public var double: Double? { number?.double }

    /// The string, if this is one.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The elements, if this is an array.
    public var array: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The members, if this is an object.
    public var object: JSONObject? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    /// The member named `key`; nil if there is none or this is no object. A member that is `null` is ``null``, not nil.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The element at `index`, counted from 0; nil if there is none or this is no array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}
