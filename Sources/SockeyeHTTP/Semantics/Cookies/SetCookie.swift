/// A parsed Set-Cookie field (RFC 6265bis 5.6), not yet checked against the host that sent it.
package struct SetCookie: Sendable, Equatable {
    package let name: String
    package let value: String
    /// The domain in lower case without its leading dot; nil if missing or empty.
    package private(set) var domain: String?
    /// True if the domain has a leading dot. The dot has no meaning before a name and is invalid before an IP address.
    package private(set) var hasDotBeforeDomain = false
    /// The path; nil if the default path, derived from the request's path, applies (RFC 6265bis 5.1.4).
    package private(set) var path: String?
    /// Seconds from now, 0 for a negative Max-Age; nil without a valid Max-Age.
    package private(set) var maxAge: Int64?
    /// Seconds since 1970; nil without a valid Expires.
    package private(set) var expires: Int64?
    package private(set) var isSecure = false
    package private(set) var isHTTPOnly = false
    package private(set) var sameSite: ClientCookie.SameSite?

    /// Parses the value of one Set-Cookie field. Fields are never joined or split at commas, because dates and values
    /// contain commas.
    ///
    /// - Throws: `empty`, `tooLong`, `badCharacter` for a control character or text that is not UTF-8, or `badDomain`
    ///   for a domain that is not ASCII or is only a dot.
    package init(_ field: ArraySlice<UInt8>) throws(ClientCookie.Fault) {
        guard !field.contains(where: { ByteClass.isControl($0) && $0 != Self.tab }) else { throw .badCharacter }
        let pair = field.prefix { $0 != Self.semicolon }
        let equals = pair.firstIndex(of: Self.equals)
        // Without an equals sign the whole pair is the value.
        let name = CookieText.trimmed(pair[..<(equals ?? pair.startIndex)])
        let value = CookieText.trimmed(equals.map { pair[($0 + 1)...] } ?? pair)
        guard name.count + value.count <= ClientCookie.maximumLength else { throw .tooLong }
        guard !name.isEmpty || !value.isEmpty else { throw .empty }
        guard !name.contains(Self.tab), !value.contains(Self.tab),
            let nameText = String(validating: name, as: UTF8.self),
            let valueText = String(validating: value, as: UTF8.self)
        else { throw .badCharacter }
        self.name = nameText
        self.value = valueText
        try readAttributes(field[pair.endIndex...].dropFirst())
    }

    private static let semicolon = UInt8(ascii: ";")
    private static let equals = UInt8(ascii: "=")
    private static let dot = UInt8(ascii: ".")
    private static let tab: UInt8 = 0x09

    /// Parses the attributes. If several attributes have the same name, the last one counts. Attributes that are too
    /// long are ignored, and so are invalid Expires and Max-Age values.
    private mutating func readAttributes(_ bytes: ArraySlice<UInt8>) throws(ClientCookie.Fault) {
        var lastDomain: ArraySlice<UInt8> = []
        var lastPath: ArraySlice<UInt8> = []
        var rest = bytes
        while !rest.isEmpty {
            let attribute = rest.prefix { $0 != Self.semicolon }
            rest = rest[attribute.endIndex...].dropFirst()
            let equals = attribute.firstIndex(of: Self.equals) ?? attribute.endIndex
            let name = CookieText.trimmed(attribute[..<equals])
            let value = CookieText.trimmed(attribute[equals...].dropFirst())
            guard value.count <= ClientCookie.maximumAttributeLength else { continue }
            if CookieText.equals(name, "domain") {
                // In RFC 6265bis an empty Domain attribute cancels earlier ones, so that the cookie becomes host-only.
                // This parser ignores an empty one, as RFC 6265 5.2.3 advises.
                if !value.isEmpty { lastDomain = value }
            } else if CookieText.equals(name, "path") {
                lastPath = value
            } else {
                read(name, value)
            }
        }
        try readPath(lastPath)
        try readDomain(lastDomain)
    }

    private mutating func read(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        if CookieText.equals(name, "expires") {
            if let date = CookieDate.seconds(value) { expires = date }
        } else if CookieText.equals(name, "max-age") {
            if let seconds = Self.seconds(value) { maxAge = seconds }
        } else if CookieText.equals(name, "secure") {
            isSecure = true
        } else if CookieText.equals(name, "httponly") {
            isHTTPOnly = true
        } else if CookieText.equals(name, "samesite") {
            sameSite = Self.sameSite(value)
        }
    }

    /// Reads the value of Path. The default path applies only if the value does not begin with a slash. A path that has
    /// HTAB or is not UTF-8 is an error, because the default path would give the cookie another scope.
    private mutating func readPath(_ value: ArraySlice<UInt8>) throws(ClientCookie.Fault) {
        guard value.first == UInt8(ascii: "/") else { return }
        guard !value.contains(Self.tab), let text = String(validating: value, as: UTF8.self) else {
            throw .badCharacter
        }
        path = text
    }

    /// Reads the value of Domain. A dot alone is refused. By RFC 6265bis it means a host-only cookie, but a server that
    /// wants a host-only cookie simply omits Domain.
    private mutating func readDomain(_ value: ArraySlice<UInt8>) throws(ClientCookie.Fault) {
        guard !value.isEmpty else { return }
        hasDotBeforeDomain = value.first == Self.dot
        let name = hasDotBeforeDomain ? value.dropFirst() : value
        guard !name.isEmpty, name.allSatisfy({ $0 < 0x80 }) else { throw .badDomain }
        domain = String(decoding: name.map(ByteClass.lowercased), as: UTF8.self)
    }

    private static func sameSite(_ value: ArraySlice<UInt8>) -> ClientCookie.SameSite? {
        if CookieText.equals(value, "strict") { return .strict }
        if CookieText.equals(value, "lax") { return .lax }
        return CookieText.equals(value, "none") ? ClientCookie.SameSite.none : nil
    }

    /// Parses a Max-Age value (RFC 6265bis 5.6.2): 0 if it is negative, capped if it is large, nil if it is no number.
    private static func seconds(_ value: ArraySlice<UInt8>) -> Int64? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value
        guard !digits.isEmpty, digits.allSatisfy(ByteClass.isDigit) else { return nil }
        if isNegative { return 0 }
        var seconds: Int64 = 0
        for digit in digits where seconds < .max / 16 { seconds = seconds * 10 + Int64(digit - 0x30) }
        return seconds
    }

    /// Returns the expiration time, capped at the maximum lifetime; nil for a session cookie. Max-Age overrides
    /// Expires.
    package func expiration(at now: Int64) -> Int64? {
        let latest = now + ClientCookie.maximumAge
        if let maxAge { return maxAge <= 0 ? 0 : now + min(maxAge, ClientCookie.maximumAge) }
        return expires.map { min($0, latest) }
    }
}
