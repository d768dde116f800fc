public import HTTPTypes

/// The fields of a request or a response, in a header or a trailer section: an ordered list that keeps names, values and
/// repeated fields as they are.
///
/// Unlike `HTTPFields` of swift-http-types it keeps the case of names and never alters a value that is to be sent: a value
/// with CR, LF or NUL is refused when the request is sent. `Headers(fields)` and `HTTPFields(headers)` convert.
///
/// All fields share one buffer, in which each is checked and written as its line when it is added. Sending them copies the
/// buffer, and reading one makes a string.
///
/// ```swift
/// var headers: Headers = [.accept: "application/json", "X-Request-ID": id]
/// headers[.userAgent] = "example/1.0"      // replaces every field of that name
/// headers.append(.cookie, "a=b")           // adds one more
/// let cached = response.headers[values: .cacheControl]
/// ```
public struct Headers: Sendable {
    var storage = FieldStorage()

    /// Makes an empty list, which owns no memory.
    public init() {}

    /// The value of the first field of that name, or nil. Setting replaces every field of that name by one, in the place of
    /// the first or at the end; setting nil removes them all.
    ///
    /// A field whose value is a list, such as Cache-Control, may be repeated (RFC 9110 5.3): ``subscript(values:)`` has all.
    public subscript(name: Headers.Name) -> String? {
        get {
            storage.firstIndex(of: name).map { storage.text(storage[$0].value) }
        }
        set {
            guard let first = storage.firstIndex(of: name) else {
                if let newValue { append(name, newValue) }
                return
            }
            replace(name, from: first, with: newValue.map { [$0] } ?? [])
        }
    }

    /// The values of all fields of that name, in order. Setting puts the new ones where the first old one was, or at the end.
    public subscript(values name: Headers.Name) -> [String] {
        get {
            var values: [String] = []
            var next = storage.firstIndex(of: name)
            while let index = next {
                values.append(storage.text(storage[index].value))
                next = storage.firstIndex(of: name, from: index + 1)
            }
            return values
        }
        set {
            guard let first = storage.firstIndex(of: name) else {
                for value in newValue { append(name, value) }
                return
            }
            replace(name, from: first, with: newValue)
        }
    }

    private mutating func replace(_ name: Headers.Name, from first: Int, with values: [String]) {
        var rest = FieldStorage()
        for index in indices {
            let entry = storage[index]
            if index == first {
                for value in values { rest.append(name, value) }
            } else if index < first || !storage.isField(entry, named: name) {
                rest.append(entry, of: storage)
            }
        }
        storage = rest
    }

    /// Whether there is a field of that name.
    public func contains(_ name: Headers.Name) -> Bool {
        storage.firstIndex(of: name) != nil
    }

    /// Adds a field at the end, whatever is there already.
    public mutating func append(_ name: Headers.Name, _ value: String) {
        storage.append(name, value)
    }

    /// Removes every field of that name.
    public mutating func removeAll(named name: Headers.Name) {
        self[name] = nil
    }

    /// Makes room for `count` further fields of usual size at once.
    public mutating func reserveCapacity(_ count: Int) {
        // Bounded: no request has more.
        guard count > 0 else { return }
        let fields = Swift.min(count, 1000)
        storage.reserve(fields, byteCount: fields * 40)
    }

    /// Makes room for `count` fields with so many bytes of names and values, both bounded by the caller.
    mutating func reserve(_ count: Int, byteCount: Int) { storage.reserve(count, byteCount: byteCount) }

    /// This list, and after it the fields of `defaults` whose names it does not have.
    public func merging(_ defaults: Headers) -> Headers {
        guard !isEmpty else { return defaults }
        guard !defaults.isEmpty else { return self }
        var merged = self
        for index in defaults.indices {
            let entry = defaults.storage[index]
            let isOwn = unsafe defaults.storage.withBytes(entry.name) { unsafe storage.contains($0) }
            if !isOwn { merged.storage.append(entry, of: defaults.storage) }
        }
        return merged
    }
}

extension Headers {
    /// Copies the fields of swift-http-types, in order. Bytes that are not UTF-8 become U+FFFD.
    public init(_ fields: HTTPFields) {
        for field in fields { append(Headers.Name(field.name), field.value) }
    }
}

extension HTTPFields {
    /// Copies the fields, in order. Leaves out those whose name is no token (RFC 9110 5.1), and replaces control bytes in values
    /// by blanks, as swift-http-types does.
    public init(_ headers: Headers) {
        self.init()
        // HTTPFields traps above that.
        for (name, value) in headers.prefix(Int(UInt16.max) - 1) {
            if let name = HTTPField.Name(name.text) { append(HTTPField(name: name, value: value)) }
        }
    }
}

extension Headers: Hashable {
    /// Lists are equal when they have the same fields in the same order, names in any case.
    public static func == (left: Headers, right: Headers) -> Bool {
        guard left.count == right.count, left.byteCount == right.byteCount else { return false }
        return left.indices.allSatisfy { index in
            left.storage.isField(left.storage[index], equalTo: right.storage[index], of: right.storage)
        }
    }

    /// Feeds names in lower case and values to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for (name, value) in self {
            hasher.combine(name)
            hasher.combine(value)
        }
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    /// Makes a list of the pairs, in order; a name may occur several times.
    public init(dictionaryLiteral elements: (Headers.Name, String)...) {
        let byteCount = elements.reduce(0) { $0 + $1.0.text.utf8.count + $1.1.utf8.count }
        if byteCount > 0 { storage.reserve(elements.count, byteCount: byteCount) }
        for (name, value) in elements { append(name, value) }
    }
}

extension Headers: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of fields.
    public var endIndex: Int { storage.count }

    /// The field at `position`, which must be in `0..<count`.
    public subscript(position: Int) -> (name: Headers.Name, value: String) {
        let entry = storage[position]
        return (Headers.Name(storage.text(entry.name)), storage.text(entry.value))
    }
}

extension Headers: CustomStringConvertible, CustomReflectable {
    /// The names only: values may be secret.
    public var description: String {
        "[" + indices.lazy.map { storage.text(storage[$0].name) }.joined(separator: ", ") + "]"
    }

    /// The description alone, so that dumps show no values either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

// For encoding.
extension Headers {
    /// The bytes of all lines.
    package var byteCount: Int { storage.byteCount }

    /// The lines as they go on the wire (RFC 9112 5), each with its CRLF; nil where one of the fields cannot be sent.
    var lines: [UInt8]? {
        guard storage.flags.isDisjoint(with: .invalid) else { return nil }
        return unsafe storage.withLines { unsafe Array($0) }
    }

    /// What is wrong with the first field that cannot be sent, if there is one.
    var firstFault: RequestFault? {
        for index in indices {
            if let fault = fault(of: storage[index]) { return fault }
        }
        return nil
    }

    /// What is wrong with a field.
    func fault(of entry: FieldEntry) -> RequestFault? {
        guard !entry.flags.isDisjoint(with: .invalid) else { return nil }
        let name = Headers.Name(storage.text(entry.name))
        return entry.flags.contains(.invalidName) ? .invalidFieldName(name) : .invalidFieldValue(name)
    }

    /// Adds a field that was received. A value that is not UTF-8 is taken for ISO-8859-1 (RFC 9110 5.5).
    mutating func append(_ name: UnsafeRawBufferPointer, received value: UnsafeRawBufferPointer, isASCII: Bool) {
        if unsafe isASCII || ReceivedFieldValue.isUTF8(value) {
            unsafe storage.append(name, value)
        } else {
            unsafe append(Headers.Name(String(decoding: name, as: UTF8.self)), ReceivedFieldValue.text(value))
        }
    }

    /// These fields with blanks for control bytes in values, which a tolerant parser lets pass.
    func blankingControls() -> Headers {
        guard storage.flags.contains(.invalidValue) else { return self }
        var blanked = Headers()
        for index in indices {
            let entry = storage[index]
            unsafe storage.withBytes(entry.name) { name in
                unsafe storage.withBytes(entry.value) { value in
                    unsafe ReceivedFieldValue.blanked(value).withUnsafeBytes { unsafe blanked.storage.append(name, $0) }
                }
            }
        }
        return blanked
    }

    /// Whether all of them can be sent.
    package var isValid: Bool { storage.flags.isDisjoint(with: .invalid) }

    /// The bytes of all names and values.
    var textByteCount: Int { byteCount - count * FieldEntry.separators }

    /// Adds all fields of another list at the end.
    package mutating func append(contentsOf other: Headers) {
        for index in other.indices { storage.append(other.storage[index], of: other.storage) }
    }

    /// The fields whose names are to be kept.
    package func filtered(_ keeps: (Headers.Name) -> Bool) -> Headers {
        var kept = Headers()
        for index in indices {
            let entry = storage[index]
            if keeps(Headers.Name(storage.text(entry.name))) { kept.storage.append(entry, of: storage) }
        }
        return kept
    }
}

extension Headers {
    /// Whether `Connection: close` is among the fields, so that the exchange can be told to be the connection's last.
    package var asksToClose: Bool {
        lists("close", in: "connection")
    }

    /// Whether `Expect: 100-continue` is among the fields: the wish of a caller who did not use the option for it.
    package var asksForContinue: Bool {
        lists("100-continue", in: "expect")
    }

    /// Whether `TE: trailers` is among the fields: the wish of a caller who reads trailers (RFC 9110 10.1.4). Other
    /// transfer codings are not this client's to ask for.
    package var asksForTrailers: Bool {
        lists("trailers", in: "te")
    }

    /// For names that only the client writes.
    private func lists(_ member: StaticString, in name: StaticString) -> Bool {
        guard storage.flags.contains(.client) else { return false }
        return indices.contains { index in
            let entry = storage[index]
            return unsafe storage.withBytes(entry.name) { unsafe $0.matches(name) }
                && storage.withBytes(entry.value) { unsafe $0.lists(member) }
        }
    }
}
