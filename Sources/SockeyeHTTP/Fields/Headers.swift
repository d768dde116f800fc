public import HTTPTypes

/// The fields of a request or a response, in a header or trailer section. An ordered list that keeps names, values and
/// repeated fields unchanged.
///
/// Unlike `HTTPFields` of swift-http-types, it accepts any name and never alters a value to be sent. A name that is not
/// a token, or a value with a control character other than a tab, is refused when the request is sent.
/// `Headers(fields)` and `HTTPFields(headers)` convert between the two.
///
/// All fields share one buffer. Adding a field writes its field line into the buffer and records whether the field is
/// valid. Sending the fields copies the buffer; reading a value makes a string.
///
/// ```swift
/// var headers: Headers = [.accept: "application/json", "X-Request-ID": id]
/// // replaces every field of that name
/// headers[.userAgent] = "example/1.0"
/// // adds one more
/// headers.append(.cookie, "a=b")
/// let cached = response.headers[values: .cacheControl]
/// ```
public struct Headers: Sendable {
    var storage = FieldStorage()

    /// Creates an empty list, which owns no memory.
    public init() {}

    /// The value of the first field with this name, or nil. Setting a value replaces all fields of this name by one
    /// field, at the place of the first. If there was no such field, the new one is appended. Setting nil removes all
    /// fields of this name.
    ///
    /// A field with a list as its value, such as Cache-Control, may be repeated (RFC 9110 5.3): ``subscript(values:)``
    /// returns all values.
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

    /// The values of all fields with this name, in order. Setting them replaces these fields, and puts the new fields
    /// at the place of the first old one. If there was no such field, the new ones are appended.
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

    /// Returns true if there is a field with this name.
    public func contains(_ name: Headers.Name) -> Bool {
        storage.firstIndex(of: name) != nil
    }

    /// Appends a field without replacing fields of the same name.
    public mutating func append(_ name: Headers.Name, _ value: String) {
        storage.append(name, value)
    }

    /// Removes every field with this name.
    public mutating func removeAll(named name: Headers.Name) {
        self[name] = nil
    }

    /// Reserves room for `count` further fields of usual size, but for at most 1,000.
    public mutating func reserveCapacity(_ count: Int) {
        // Bounded, because no real request has more fields.
        guard count > 0 else { return }
        let fields = Swift.min(count, 1000)
        storage.reserve(fields, byteCount: fields * 40)
    }

    /// Reserves room for `count` fields with this many bytes of names and values. The caller must limit both numbers.
    mutating func reserve(_ count: Int, byteCount: Int) { storage.reserve(count, byteCount: byteCount) }

    /// Returns this list followed by the fields of `defaults` with names that this list lacks.
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
    /// Copies the fields, in order. Omits fields with names that are not tokens (RFC 9110 5.1), and all fields after
    /// the first 65,534. In values, replaces control bytes by blanks and removes blanks at both ends, as
    /// swift-http-types does.
    public init(_ headers: Headers) {
        self.init()
        // HTTPFields traps if it gets more fields.
        for (name, value) in headers.prefix(Int(UInt16.max) - 1) {
            if let name = HTTPField.Name(name.text) { append(HTTPField(name: name, value: value)) }
        }
    }
}

extension Headers: Hashable {
    /// Returns true if the lists have the same fields in the same order, ignoring the case of names.
    public static func == (left: Headers, right: Headers) -> Bool {
        guard left.count == right.count, left.byteCount == right.byteCount else { return false }
        return left.indices.allSatisfy { index in
            left.storage.isField(left.storage[index], equalTo: right.storage[index], of: right.storage)
        }
    }

    /// Feeds names in lower case, and the bytes of values, to the hasher. Hashing a value as a `String` would normalize
    /// it, which takes quadratic time for some values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for index in indices {
            let entry = storage[index]
            hasher.combine(Headers.Name(storage.text(entry.name)))
            hasher.combine(entry.value.count)
            unsafe storage.withBytes(entry.value) { unsafe hasher.combine(bytes: $0) }
        }
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    /// Creates a list of the pairs, in order; a name may occur several times.
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
    /// The names only, because values may be secret.
    public var description: String {
        "[" + indices.lazy.map { storage.text(storage[$0].name) }.joined(separator: ", ") + "]"
    }

    /// A mirror of the description only, so that dumps show no values.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

// Encoding.
extension Headers {
    /// The number of bytes of all lines.
    package var byteCount: Int { storage.byteCount }

    /// The lines for the wire (RFC 9112 5), each with its CRLF; nil if one of the fields is invalid.
    var lines: [UInt8]? {
        guard storage.flags.isDisjoint(with: .invalid) else { return nil }
        return unsafe storage.withLines { unsafe Array($0) }
    }

    /// The fault of the first invalid field; nil if all fields are valid.
    var firstFault: RequestFault? {
        for index in indices {
            if let fault = fault(of: storage[index]) { return fault }
        }
        return nil
    }

    /// Returns the fault of a field; nil if the field is valid.
    func fault(of entry: FieldEntry) -> RequestFault? {
        guard !entry.flags.isDisjoint(with: .invalid) else { return nil }
        let name = Headers.Name(storage.text(entry.name))
        return entry.flags.contains(.invalidName) ? .invalidFieldName(name) : .invalidFieldValue(name)
    }

    /// Appends a received field. A value that is not UTF-8 is decoded as ISO-8859-1 (RFC 9110 5.5).
    mutating func append(_ name: UnsafeRawBufferPointer, received value: UnsafeRawBufferPointer, isASCII: Bool) {
        if unsafe isASCII || ReceivedFieldValue.isUTF8(value) {
            unsafe storage.append(name, value)
        } else {
            unsafe append(Headers.Name(String(decoding: name, as: UTF8.self)), ReceivedFieldValue.text(value))
        }
    }

    /// Returns these fields with a blank in place of each control byte of a value, except HTAB. Received values may
    /// have such bytes.
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

    /// True if all fields can be sent.
    package var isValid: Bool { storage.flags.isDisjoint(with: .invalid) }

    /// The number of bytes of all names and values.
    package var textByteCount: Int { byteCount - count * FieldEntry.separators }

    /// Appends all fields of another list.
    package mutating func append(contentsOf other: Headers) {
        for index in other.indices { storage.append(other.storage[index], of: other.storage) }
    }

    /// Returns the fields with names for which `keeps` returns true.
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
    /// True if the caller set `Connection: close`. The exchange is then the last on its connection.
    package var asksToClose: Bool {
        lists("close", in: "connection")
    }

    /// True if the caller set `Expect: 100-continue` as a field instead of using the option for it.
    package var asksForContinue: Bool {
        lists("100-continue", in: "expect")
    }

    /// True if the caller set `TE: trailers` (RFC 9110 10.1.4). Transfer codings in TE are ignored, because the client
    /// does not support them.
    package var asksForTrailers: Bool {
        lists("trailers", in: "te")
    }

    /// Returns true if a field with this name has this list member. The name must be one that sets the flag
    /// ``FieldFlags/client``, such as Connection: without this flag no field is searched.
    private func lists(_ member: StaticString, in name: StaticString) -> Bool {
        guard storage.flags.contains(.client) else { return false }
        return indices.contains { index in
            let entry = storage[index]
            return unsafe storage.withBytes(entry.name) { unsafe $0.matches(name) }
                && storage.withBytes(entry.value) { unsafe $0.lists(member) }
        }
    }
}
