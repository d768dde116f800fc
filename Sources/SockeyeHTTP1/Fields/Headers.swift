public import HTTPTypes

/// The fields of a request: an ordered list that keeps names, values and duplicates as they were given.
///
/// Unlike `HTTPFields` it neither lower-cases names nor quietly replaces bad bytes in values, so building one costs an
/// array append per field, and a value with CR, LF or NUL is refused when the request is sent instead of being altered.
///
/// ```swift
/// var headers: Headers = [.accept: "application/json"]
/// headers[.userAgent] = "example/1.0"      // replaces every field of that name
/// headers.append(.cookie, "a=b")           // adds one more
/// ```
public struct Headers: Sendable, Hashable {
    struct Field: Sendable, Hashable {
        let name: FieldName
        let value: String
    }

    var fields: [Field]

    /// Makes an empty list, which owns no memory.
    public init() {
        fields = []
    }

    /// Copies the fields of swift-http-types, in order; bytes that are no UTF-8 become U+FFFD.
    public init(_ fields: HTTPFields) {
        self.fields = fields.map { Field(name: FieldName($0.name), value: $0.value) }
    }

    /// The first value of `name`, or nil. Setting replaces every field of that name by one, in the place of the first or
    /// at the end; setting nil removes them all.
    public subscript(name: FieldName) -> String? {
        get {
            for field in fields where field.name == name { return field.value }
            return nil
        }
        set {
            guard let newValue else { return removeAll(named: name) }
            let field = Field(name: name, value: newValue)
            guard let first = fields.firstIndex(where: { $0.name == name }) else { return fields.append(field) }
            fields[first] = field
            let rest = fields.index(after: first)
            guard fields[rest...].contains(where: { $0.name == name }) else { return }
            fields = Array(fields[..<rest]) + fields[rest...].filter { $0.name != name }
        }
    }

    /// Every value of `name`, in order.
    public func values(for name: FieldName) -> [String] {
        fields.lazy.filter { $0.name == name }.map(\.value)
    }

    /// Whether there is a field of that name.
    public func contains(_ name: FieldName) -> Bool {
        // By index: a loop over the fields would count references to the name and the value of each.
        for index in fields.indices where fields[index].name == name { return true }
        return false
    }

    /// Adds a field at the end, whatever is there already.
    public mutating func append(_ name: FieldName, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Removes every field of that name.
    public mutating func removeAll(named name: FieldName) {
        fields.removeAll { $0.name == name }
    }

    /// Makes room for `count` fields at once.
    public mutating func reserveCapacity(_ count: Int) {
        fields.reserveCapacity(count)
    }

    /// This list, and after it the fields of `defaults` whose names it does not have.
    public func merging(_ defaults: Headers) -> Headers {
        guard !fields.isEmpty else { return defaults }
        guard !defaults.fields.isEmpty else { return self }
        var merged = self
        merged.fields.reserveCapacity(fields.count + defaults.fields.count)
        for field in defaults.fields where !contains(field.name) { merged.fields.append(field) }
        return merged
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    /// Makes a list of the pairs, in order; a name may occur several times.
    public init(dictionaryLiteral elements: (FieldName, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }
}

extension Headers: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of fields.
    public var endIndex: Int { fields.count }

    /// The field at `position`, which must be in `0..<count`.
    public subscript(position: Int) -> (name: FieldName, value: String) {
        (fields[position].name, fields[position].value)
    }
}

extension Headers: CustomStringConvertible, CustomReflectable {
    /// The names only: values may be secret.
    public var description: String {
        "[" + fields.lazy.map(\.name.text).joined(separator: ", ") + "]"
    }

    /// The description alone, so that dumps show no values either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
