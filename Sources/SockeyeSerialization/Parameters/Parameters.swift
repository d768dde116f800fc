public import FoundationEssentials

/// Named values that go into a query, a form or another body: what is sent, without how it is written.
///
/// Made from a literal whose values may differ in type and be nested, from a dictionary, or from any `Encodable`:
///
/// ```swift
/// let literal: Parameters = ["page": 2, "tags": ["a", "b"], "filter": ["name": "x"], "flag": nil]
/// let encoded = try Parameters(Search(page: 2, tags: ["a", "b"]))
/// ```
///
/// A ``ParameterStyle`` turns them into text. With the standard one, which is AFNetworking's, the literal is
/// `filter[name]=x&flag&page=2&tags[]=a&tags[]=b`, with the brackets percent-encoded.
///
/// Names are kept in ascending order, whatever order they came in. Names that are canonically equivalent Unicode are one
/// name, and of equal names in a literal the last counts.
///
/// Being `Codable`, parameters are encoded as what they stand for: a JSON encoder writes the object that the literal
/// looks like. What is decoded again is the kind that the format knows: from JSON a set comes back as an array, a
/// date and data as numbers and strings.
public struct Parameters: Sendable {
    /// How deep values may be nested for encoding and decoding: 200 levels, which are freed with less than 64 KiB of stack,
    /// since some threads have no more than 128 KiB.
    ///
    /// Every dictionary, array and set counts one level, the parameters themselves being the first.
    public static let maximumDepth = 200

    /// Sorted, and without equal names: what is encoded far more often than it is changed is kept as it will be written.
    private(set) var elements: [Element]

    /// Makes parameters of these values.
    public init(_ values: [String: Value] = [:]) {
        elements = values.map { Element($0.key, $0.value) }.sorted { $0.name < $1.name }
    }

    /// Makes parameters of names and values in any order; of equal names the last counts.
    public init(_ pairs: [(String, Value)]) {
        elements = []
        elements.reserveCapacity(pairs.count)
        var isSorted = true
        for (name, value) in pairs {
            if let last = elements.last, last.name >= name { isSorted = false }
            elements.append(Element(name, value))
        }
        guard !isSorted else { return }
        // Sorting is stable, so that the last of equal names is the last that was given.
        elements.sort { $0.name < $1.name }
        var end = 0
        for index in elements.indices {
            if end > 0, elements[end - 1].name == elements[index].name { end -= 1 }
            if end != index { elements[end] = elements[index] }
            end += 1
        }
        elements.removeSubrange(end...)
    }

    /// The value of a name. Assigning nil removes the name; ``Value/null`` is a value.
    public subscript(_ name: String) -> Value? {
        get {
            let index = index(of: name)
            // Not an expression of two branches: in it, nil would be the null that values have themselves.
            guard index < elements.count, elements[index].name == name else { return nil }
            return elements[index].value
        }
        set {
            let index = index(of: name)
            let exists = index < elements.count && elements[index].name == name
            switch (newValue, exists) {
            case (let value?, true): elements[index].value = value
            case (let value?, false):
                // Most parameters are a few, and put together one by one.
                if elements.isEmpty { elements.reserveCapacity(8) }
                elements.insert(Element(name, value), at: index)
            case (nil, true): elements.remove(at: index)
            case (nil, false): break
            }
        }
    }

    /// The index of the first name that is not less than `name`.
    private func index(of name: String) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = low + (high - low) / 2
            if elements[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The values by name.
    public var values: [String: Value] {
        Dictionary(uniqueKeysWithValues: elements.lazy.map { ($0.name, $0.value) })
    }

    /// Adds the parameters of another; where both have a name, the other's value counts, nested ones as a whole.
    public mutating func merge(_ other: Parameters) {
        guard !isEmpty else {
            self = other
            return
        }
        self = Parameters((elements + other.elements).map { ($0.name, $0.value) })
    }

    /// These parameters and those of another; where both have a name, the other's value counts.
    public func merging(_ other: Parameters) -> Parameters {
        var merged = self
        merged.merge(other)
        return merged
    }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Makes parameters from a literal; of equal names the last counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(elements)
    }
}

extension Parameters: RandomAccessCollection {
    /// A name and its value.
    public struct Element: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value.
        public internal(set) var value: Value

        init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many names there are at the outermost level.
    public var endIndex: Int { elements.count }

    /// The parameter at a place in the ascending order of names.
    public subscript(_ index: Int) -> Element { elements[index] }
}

extension Parameters {
    /// A value of a parameter, with its type: how it is written is the ``ParameterStyle``'s business.
    ///
    /// Literals make most of them; variables go through the cases or `number(_:)`:
    /// `["name": .string(name), "page": .number(page)]`.
    public enum Value: Sendable {
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
        case array([Value])
        /// Values without order, written sorted: in the standard style `key` repeated.
        case set(Set<Value>)
        /// Named values: in the standard style `key[name]` for each, sorted by name.
        case dictionary(Parameters)

        /// A whole number of any type; one beyond 64 bits becomes a ``decimal(_:)``, or a ``double(_:)`` beyond 128.
        public static func number(_ value: some BinaryInteger) -> Value {
            if let integer = Int64(exactly: value) { return .integer(integer) }
            if let integer = UInt64(exactly: value) { return .unsignedInteger(integer) }
            return Decimal(string: String(value)).map(Value.decimal) ?? .double(Double(value))
        }

        /// A floating-point number of any type, by its shortest decimal form: 0.1 of a `Float` is 0.1.
        public static func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ value: Number) -> Value {
            .double(Double(String(value)) ?? Double(value))
        }

        /// A decimal number.
        public static func number(_ value: Decimal) -> Value { .decimal(value) }
    }
}

extension Parameters.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
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
    public init(arrayLiteral elements: Parameters.Value...) { self = .array(elements) }

    /// Nested parameters; of equal keys the last counts.
    public init(dictionaryLiteral elements: (String, Parameters.Value)...) {
        self = .dictionary(Parameters(elements))
    }
}
