/// A stored cookie (RFC 6265bis 5.7). All its values are valid for sending.
public struct ClientCookie: Sendable, Hashable {
    private let content: CookieContent

    /// The name; empty if the cookie has only a value.
    public var name: String { content.name }
    /// The value as the server sent it: quotes are part of it, and nothing is percent-decoded.
    public var value: String { content.value }
    /// The host that gets the cookie, in lower-case A-labels without a leading dot. An IPv6 address has no brackets.
    public var domain: String { content.domain }
    /// True if hosts below ``domain`` do not get the cookie. Always true for IP addresses.
    public var isHostOnly: Bool { content.isHostOnly }
    /// The path for which the cookie is sent, including all paths below it. Begins with `/`.
    public var path: String { content.path }
    /// True if the cookie is sent only over TLS. If the jar trusts loopback, the cookie is also sent over http to
    /// this machine.
    public var isSecure: Bool { content.isSecure }
    /// True if the cookie has HttpOnly, which hides it from scripts in browsers. It has no effect in this library.
    public var isHTTPOnly: Bool { content.isHTTPOnly }
    /// The SameSite attribute; nil if it is missing or has an unknown value.
    public var sameSite: SameSite? { content.sameSite }
    /// The expiration time in seconds since 1970-01-01T00:00:00Z. Nil for a session cookie, which lives as long as the
    /// jar.
    public var expiration: Int64? { content.expiration }

    /// The maximum length of name and value together: 4,096 bytes (RFC 6265bis 5.6).
    public static let maximumLength = 4096
    /// The maximum length of an attribute, and therefore of the path: 1,024 bytes (RFC 6265bis 5.6).
    public static let maximumAttributeLength = 1024
    /// The maximum lifetime of a cookie in seconds: 400 days (RFC 6265bis 5.5).
    static let maximumAge: Int64 = 400 * 86_400

    /// Creates a cookie from values of the caller.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    ///   - domain: The host, which may be an internationalized name. A leading dot is dropped. An IPv6 address has no
    ///     brackets.
    ///   - isHostOnly: If false, the default, hosts below the domain also get the cookie.
    ///   - path: The path for which the cookie is sent. Default `/`, which is all paths.
    ///   - isSecure: True for https only; see ``isSecure``. Default false.
    ///   - isHTTPOnly: True for HttpOnly, which has no effect here. Default false.
    ///   - sameSite: The SameSite attribute. Default nil: the cookie has no such attribute.
    ///   - expiration: Seconds since 1970-01-01T00:00:00Z. Default nil: a session cookie. A jar limits it to 400 days
    ///     after the time of storing.
    /// - Throws: ``ClientCookie/Fault``.
    public init(
        name: String, value: String, domain: String, isHostOnly: Bool = false, path: String = "/",
        isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: SameSite? = nil, expiration: Int64? = nil
    ) throws(ClientCookie.Fault) {
        guard !name.isEmpty || !value.isEmpty else { throw .empty }
        guard CookieText.isName(name), CookieText.isValue(value), CookieText.isPath(path) else { throw .badCharacter }
        guard name.utf8.count + value.utf8.count <= Self.maximumLength,
            path.utf8.count <= Self.maximumAttributeLength
        else { throw .tooLong }
        guard path.utf8.first == UInt8(ascii: "/") else { throw .badPath }
        let host = try Self.host(domain)
        let isHostOnly = isHostOnly || host.kind != .name
        guard isHostOnly || !PublicSuffixList.contains(host.name) else { throw .publicSuffix }
        self.init(
            unchecked: name, value, domain: host.name, isHostOnly: isHostOnly, path: path, isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, sameSite: sameSite, expiration: expiration)
        try checkPrefixAndSameSite(namesPath: true)
    }

    /// Creates a cookie from validated parts.
    init(
        unchecked name: String, _ value: String, domain: String, isHostOnly: Bool, path: String, isSecure: Bool,
        isHTTPOnly: Bool, sameSite: SameSite?, expiration: Int64?
    ) {
        content = CookieContent(
            name: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path, isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, sameSite: sameSite, expiration: expiration)
    }

    /// Checks the requirements of the name's prefix (`__Secure-`, `__Host-`) and of SameSite (RFC 6265bis 5.7, steps
    /// 19 to 22).
    ///
    /// - Parameter namesPath: True if the path was given explicitly, false if it was derived from the URL.
    func checkPrefixAndSameSite(namesPath: Bool) throws(ClientCookie.Fault) {
        if sameSite == SameSite.none, !isSecure { throw .insecureSameSite }
        // A cookie without a name is sent as its value only. A server could read the start of that value as a name with
        // the prefix.
        let promise = name.isEmpty ? value : name
        if CookieText.begins(promise, with: "__secure-") {
            guard isSecure, !name.isEmpty else { throw .brokenPrefix }
        } else if CookieText.begins(promise, with: "__host-") {
            guard isSecure, isHostOnly, namesPath, path == "/", !name.isEmpty else { throw .brokenPrefix }
        }
    }

    /// The name that a server reads from a Cookie field. For a cookie without a name, that is the text before `=` in
    /// its value.
    var sentName: [UInt8] {
        guard name.isEmpty, let equals = value.utf8.firstIndex(of: UInt8(ascii: "=")) else { return Array(name.utf8) }
        return Array(CookieText.trimmed(Array(value.utf8[..<equals])[...]))
    }

    /// Parses a domain given by the caller or by a cookie file.
    private static func host(_ domain: String) throws(ClientCookie.Fault) -> Host {
        var bytes = Array(domain.utf8)[...]
        if bytes.first == UInt8(ascii: ".") { bytes.removeFirst() }
        if bytes.contains(UInt8(ascii: ":")) { bytes = [UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")] }
        do {
            return try Host(bytes)
        } catch {
            throw .badDomain
        }
    }

    /// Returns the same cookie with an expiration of at most `latest`. A session cookie is not changed.
    func expiring(by latest: Int64) -> ClientCookie {
        guard let expiration, expiration > latest else { return self }
        return ClientCookie(
            unchecked: name, value, domain: domain, isHostOnly: isHostOnly, path: path, isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, sameSite: sameSite, expiration: latest)
    }

    package func isExpired(at now: Int64) -> Bool {
        expiration.map { $0 <= now } ?? false
    }
}

extension ClientCookie: CustomStringConvertible, CustomReflectable {
    /// The name, domain and path of the cookie, without its value.
    public var description: String {
        "cookie \(name.isEmpty ? "without a name" : name) of \(domain)\(path)"
    }

    /// A mirror of the description only, so that dumps do not show the value.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension ClientCookie {
    /// The sites from which a request may carry a cookie (RFC 6265bis 5.6.7).
    ///
    /// The value is kept and shown, but withholds no cookie: the rule is for browsers, where one site can cause
    /// requests to another. All requests of a client count as same-site.
    @nonexhaustive public enum SameSite: String, Sendable, Hashable {
        /// Requests from pages of the same site only.
        case strict
        /// Requests from pages of the same site, and requests by following a link.
        case lax
        /// Requests from any site. Requires Secure.
        case none
    }
}

/// The shared content of a cookie. A class, because cookies are often copied, sorted and filtered.
final class CookieContent: Sendable {
    let name: String
    let value: String
    let domain: String
    let isHostOnly: Bool
    let path: String
    let isSecure: Bool
    let isHTTPOnly: Bool
    let sameSite: ClientCookie.SameSite?
    let expiration: Int64?

    init(
        name: String, value: String, domain: String, isHostOnly: Bool, path: String, isSecure: Bool,
        isHTTPOnly: Bool, sameSite: ClientCookie.SameSite?, expiration: Int64?
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
        self.expiration = expiration
    }
}

extension CookieContent: Hashable {
    static func == (left: CookieContent, right: CookieContent) -> Bool {
        left === right
            || (left.domain == right.domain && left.isHostOnly == right.isHostOnly && left.isSecure == right.isSecure
                && left.isHTTPOnly == right.isHTTPOnly && left.sameSite == right.sameSite
                && left.expiration == right.expiration && CookieText.areSame(left.name, right.name)
                && CookieText.areSame(left.value, right.value) && CookieText.areSame(left.path, right.path))
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(domain)
        for text in [name, value, path] {
            hasher.combine(text.utf8.count)
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}

extension ClientCookie: Codable {
    private enum CodingKeys: CodingKey {
        case name, value, domain, hostOnly, path, secure, httpOnly, sameSite, expirationDate
    }

    /// Decodes the JSON form that browser extensions use: `name`, `value`, `domain`, `hostOnly`, `path`, `secure`,
    /// `httpOnly`, `sameSite` (`strict`, `lax`, `no_restriction`), and `expirationDate` in seconds.
    ///
    /// All but the first three may be missing. A cookie without `hostOnly` is for its host only, unless its domain
    /// begins with a dot.
    ///
    /// - Throws: `DecodingError`. Its underlying error is a ``ClientCookie/Fault`` if the cookie is invalid.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let domain = try container.decode(String.self, forKey: .domain)
        let sameSite = try container.decodeIfPresent(String.self, forKey: .sameSite)?.lowercased()
        let seconds = try container.decodeIfPresent(Double.self, forKey: .expirationDate)
        do {
            try self.init(
                name: container.decode(String.self, forKey: .name),
                value: container.decode(String.self, forKey: .value), domain: domain,
                isHostOnly: container.decodeIfPresent(Bool.self, forKey: .hostOnly) ?? !domain.hasPrefix("."),
                path: container.decodeIfPresent(String.self, forKey: .path) ?? "/",
                isSecure: container.decodeIfPresent(Bool.self, forKey: .secure) ?? false,
                isHTTPOnly: container.decodeIfPresent(Bool.self, forKey: .httpOnly) ?? false,
                sameSite: sameSite == "no_restriction" ? SameSite.none : sameSite.flatMap(SameSite.init(rawValue:)),
                expiration: seconds.map { Int64(exactly: $0.rounded(.down)) ?? ($0 < 0 ? 0 : .max) })
        } catch let fault as ClientCookie.Fault {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: fault.description, underlyingError: fault))
        }
    }

    /// Encodes the form that ``init(from:)`` decodes. Values that are false or unspecified are written, too, because
    /// other programs may expect them. `expirationDate` is omitted for a session cookie.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(isHostOnly ? domain : "." + domain, forKey: .domain)
        try container.encode(isHostOnly, forKey: .hostOnly)
        try container.encode(path, forKey: .path)
        try container.encode(isSecure, forKey: .secure)
        try container.encode(isHTTPOnly, forKey: .httpOnly)
        try container.encode(
            sameSite == SameSite.none ? "no_restriction" : sameSite?.rawValue ?? "unspecified", forKey: .sameSite)
        try container.encodeIfPresent(expiration, forKey: .expirationDate)
    }
}

extension ClientCookie {
    /// The reason why a cookie is invalid or not stored. It contains no values, because they may be secret.
    @nonexhaustive public enum Fault: Error, Sendable, Hashable {
        /// There is neither a name nor a value.
        case empty
        /// There is a control character or invalid UTF-8. In a cookie created by the caller, also `;` in the name or
        /// value, `=` in the name, and blanks around the name or value or at the end of the path.
        case badCharacter
        /// Name and value together exceed 4,096 bytes, or the path exceeds 1,024.
        case tooLong
        /// The domain is invalid, or it is neither the host that sets the cookie nor a domain above it.
        case badDomain
        /// The path does not begin with `/`.
        case badPath
        /// The domain of a cookie that is not host-only is a public suffix such as `co.uk`, below which anyone can
        /// register names.
        case publicSuffix
        /// A cookie with Secure was set without TLS, or a cookie set without TLS would hide one with Secure. Http to
        /// this machine is exempt if the jar trusts loopback.
        case insecure
        /// The cookie violates the prefix of its name: `__Secure-` or `__Host-` (RFC 6265bis 4.1.3).
        case brokenPrefix
        /// The cookie has SameSite=None without Secure (RFC 6265bis 5.7).
        case insecureSameSite
    }
}

extension ClientCookie.Fault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .empty: "the cookie has neither a name nor a value"
        case .badCharacter: "the name, value or path of the cookie has a character that is not allowed there"
        case .tooLong: "the name and value together exceed 4096 bytes, or the path exceeds 1024 bytes"
        case .badDomain: "the cookie's domain is invalid or does not include the host that sets it"
        case .badPath: "the cookie's path does not begin with a slash"
        case .publicSuffix: "the domain of the cookie is a public suffix, where only a cookie without Domain may be set"
        case .insecure: "the cookie is secure, or would hide a secure one, but was set without TLS"
        case .brokenPrefix: "the cookie violates the rules of its name's prefix (__Secure- or __Host-)"
        case .insecureSameSite: "a cookie with SameSite=None must be Secure"
        }
    }
}
