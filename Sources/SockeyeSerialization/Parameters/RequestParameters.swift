import SockeyeEssentials

/// Named values for a query, a form or another body, independent of their text form.
///
/// Parameters are made from a literal, a dictionary, or any `Encodable`. The values of a literal may be literals or
/// variables of any usual type, including optionals (``ParameterConvertible``):
///
/// ```swift
/// let literal: RequestParameters = [
///     "page": page, "tags": ["a", "b"], "filter": ["name": "x"], "flag": .null,
///     "q": nil,
/// ]
/// let encoded = try RequestParameters(Search(page: 2, tags: ["a", "b"]))
/// ```
///
/// A ``RequestParameters/Style`` converts parameters to text. If `page` is 2, the literal above becomes
/// `filter[name]=x&flag&page=2&tags=a&tags=b` in the standard style, with the brackets percent-encoded.
///
/// Nil is omitted at every level, in literals and in `Encodable` values. ``ParameterValue/null`` is a value: a key
/// without `=` in a query, `null` in JSON.
///
/// Names are kept in ascending order. Canonically equivalent Unicode names are one name. If a name occurs twice in a
/// literal, the last value counts.
///
/// Parameters are `Codable`: a JSON encoder writes them as an object. Decoding yields only the kinds of values that the
/// format has. From JSON, a set comes back as an array, a date as a number or a string, and data as a string.
public struct RequestParameters: Sendable {
    /// The maximum nesting for encoding and decoding: 200 levels.
    ///
    /// Freeing a nested value recurses. With 200 levels, this takes less than 64 KiB of stack; some threads have
    /// only 128 KiB. Every dictionary, array and set counts as one level; the parameters themselves are the first.
    public static let maximumDepth = 200

    /// The parameters sorted by name, without equal names. They are kept in the order of the encoded text, because they
    /// are encoded far more often than changed.
    private(set) var elements: [Element]

    /// Creates parameters from a dictionary of names and values.
    public init(_ values: [String: ParameterValue] = [:]) {
        elements = values.map { Element($0.key, $0.value) }.sorted { $0.name < $1.name }
    }

    /// Creates parameters from the values of a dictionary.
    public init(_ values: [String: some ParameterConvertible]) {
        self.init(values.compactMapValues(\.parameterValue))
    }

    /// Creates parameters from names and values in any order. If a name occurs twice, the last value counts.
    public init(_ pairs: [(String, ParameterValue)]) {
        elements = []
        // Avoids work for calls without a query, which pass an empty default.
        guard !pairs.isEmpty else { return }
        elements.reserveCapacity(pairs.count)
        var isSorted = true
        for (name, value) in pairs {
            if let last = elements.last, last.name >= name { isSorted = false }
            elements.append(Element(name, value))
        }
        guard !isSorted else { return }
        // The sort is stable, so equal names keep the order of the input. The last of them is kept.
        elements.sort { $0.name < $1.name }
        var end = 0
        for index in elements.indices {
            if end > 0, elements[end - 1].name == elements[index].name { end -= 1 }
            if end != index { elements[end] = elements[index] }
            end += 1
        }
        elements.removeSubrange(end...)
    }

    /// Creates parameters from names and values. A name with nil as its last value is omitted.
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
                // Most callers set a few parameters, one after another. Space for eight is reserved with the first
                // parameter, so that the others need no allocation.
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

    /// Adds the parameters of `other`. If both contain a name, the value in `other` replaces the value here. Nested
    /// parameters are replaced as a whole, not merged.
    public mutating func merge(_ other: RequestParameters) {
        guard !isEmpty else {
            self = other
            return
        }
        self = RequestParameters((elements + other.elements).map { ($0.name, $0.value) })
    }

    /// Returns these parameters and those of `other`. If both contain a name, the value in `other` counts.
    public func merging(_ other: RequestParameters) -> RequestParameters {
        var merged = self
        merged.merge(other)
        return merged
    }
}

extension RequestParameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters from a literal. Its values may be variables of any usual type; nil is omitted. If a name
    /// occurs twice, the last value counts.
    public init(dictionaryLiteral elements: (String, (any ParameterConvertible)?)...) {
        // Avoids work for calls without a query, which pass an empty default.
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
    /// The number of names at the outermost level.
    public var endIndex: Int { elements.count }

    /// The parameter at an index in the ascending order of names.
    public subscript(_ index: Int) -> Element { elements[index] }
}
