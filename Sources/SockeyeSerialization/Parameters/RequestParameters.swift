import FoundationEssentials

/// Named values that go into a query, a form or another body: what is sent, without how it is written.
///
/// Made from a literal whose values are literals or variables of any usual type, optional ones included
/// (``ParameterConvertible``), from a dictionary, or from any `Encodable`:
///
/// ```swift
/// let literal: RequestParameters = ["page": page, "tags": ["a", "b"], "filter": ["name": "x"], "flag": .null, "q": nil]
/// let encoded = try RequestParameters(Search(page: 2, tags: ["a", "b"]))
/// ```
///
/// A ``RequestParameters/Style`` turns them into text. In the standard one the literal is
/// `filter[name]=x&flag&page=2&tags=a&tags=b`, with the brackets percent-encoded.
///
/// Nil is omitted, in literals and in `Encodable` values alike, at every level. ``ParameterValue/null`` is a value: a key
/// without `=` in a query, `null` in JSON.
///
/// Names are kept in ascending order, whatever order they came in. Names that are canonically equivalent Unicode are one
/// name, and of equal names in a literal the last counts.
///
/// Being `Codable`, parameters are encoded as what they stand for: a JSON encoder writes the object that the literal
/// looks like. What is decoded again is the kind that the format knows: from JSON a set comes back as an array, a
/// date and data as numbers and strings.
public struct RequestParameters: Sendable {
    /// How deep values may be nested for encoding and decoding: 200 levels, which are freed with less than 64 KiB of stack,
    /// since some threads have no more than 128 KiB.
    ///
    /// Every dictionary, array and set counts one level, the parameters themselves being the first.
    public static let maximumDepth = 200

    /// Sorted, and without equal names: what is encoded far more often than it is changed is kept as it will be written.
    private(set) var elements: [Element]

    /// Makes parameters of these values.
    public init(_ values: [String: ParameterValue] = [:]) {
        elements = values.map { Element($0.key, $0.value) }.sorted { $0.name < $1.name }
    }

    /// Makes parameters of the values of a dictionary.
    public init(_ values: [String: some ParameterConvertible]) {
        self.init(values.compactMapValues(\.parameterValue))
    }

    /// Makes parameters of names and values in any order; of equal names the last counts.
    public init(_ pairs: [(String, ParameterValue)]) {
        elements = []
        // As the default of every call without a query.
        guard !pairs.isEmpty else { return }
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

    /// Makes parameters of names and values without those whose last value is nil.
    init(omittingNil pairs: [(String, ParameterValue?)]) {
        var isComplete = true
        for (_, value) in pairs where value == nil { isComplete = false }
        guard !isComplete else {
            self.init(pairs.compactMap { name, value in value.map { (name, $0) } })
            return
        }
        self.init(Dictionary(pairs) { $1 }.compactMapValues { $0 })
    }

    /// The value of a name. Assigning nil removes the name; ``ParameterValue/null`` is a value.
    public subscript(_ name: String) -> ParameterValue? {
        get {
            let index = index(of: name)
            return index < elements.count && elements[index].name == name ? elements[index].value : nil
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
    public var values: [String: ParameterValue] {
        Dictionary(uniqueKeysWithValues: elements.lazy.map { ($0.name, $0.value) })
    }

    /// Adds the parameters of another; where both have a name, the other's value counts, nested ones as a whole.
    public mutating func merge(_ other: RequestParameters) {
        guard !isEmpty else {
            self = other
            return
        }
        self = RequestParameters((elements + other.elements).map { ($0.name, $0.value) })
    }

    /// These parameters and those of another; where both have a name, the other's value counts.
    public func merging(_ other: RequestParameters) -> RequestParameters {
        var merged = self
        merged.merge(other)
        return merged
    }
}

extension RequestParameters: ExpressibleByDictionaryLiteral {
    /// Makes parameters from a literal, whose values may be variables of any usual type; nil is omitted. Of equal names the
    /// last counts.
    public init(dictionaryLiteral elements: (String, (any ParameterConvertible)?)...) {
        // As the default of every call without a query.
        guard !elements.isEmpty else {
            self.init([] as [(String, ParameterValue)])
            return
        }
        self.init(omittingNil: elements.map { ($0.0, $0.1?.parameterValue) })
    }
}

extension RequestParameters: RandomAccessCollection {
    /// A name and its value.
    public struct Element: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value.
        public internal(set) var value: ParameterValue

        init(_ name: String, _ value: ParameterValue) {
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
