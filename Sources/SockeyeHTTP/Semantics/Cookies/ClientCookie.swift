/// A cookie as it is stored (RFC 6265bis 5.7). Every value is one that may be sent.
public struct ClientCookie: Sendable, Hashable {
    private let content: CookieContent

    /// The name; empty of a cookie that has only a value.
    public var name: String { content.name }
    /// The value as the server wrote it: quotes are part of it, and nothing is percent-decoded.
    public var value: String { content.value }
    /// The host that gets the cookie, in lower-case A-labels and without a dot before it; of an IPv6 address without
    /// brackets.
    public var domain: String { content.domain }
    /// Whether hosts below ``domain`` do not get it. Always so of addresses.
    public var isHostOnly: Bool { content.isHostOnly }
    /// The path at and below which it is sent. Begins with `/`.
    public var path: String { content.path }
    /// Whether it is sent with TLS only.
    public var isSecure: Bool { content.isSecure }
    /// Whether it was meant for HTTP only, and not for scripts. Kept and shown; means nothing here.
    public var isHTTPOnly: Bool { content.isHTTPOnly }
    /// The SameSite attribute; nil where there was none, or one with another value.
    public var sameSite: SameSite? { content.sameSite }
    /// When it expires, in seconds since 1970-01-01T00:00:00Z; nil of a cookie for the session, which lives as long as
    /// the jar.
    public var expiration: Int64? { content.expiration }

    /// The most bytes of name and value together: 4,096 (RFC 6265bis 5.6).
    public static let maximumLength = 4096
    /// The most bytes of an attribute, and so of the path: 1,024 (RFC 6265bis 5.6).
    public static let maximumAttributeLength = 1024
    /// The longest that a cookie is kept, in seconds: 400 days (RFC 6265bis 5.5).
    static let maximumAge: Int64 = 400 * 86_400

    /// Makes a cookie by hand.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    ///   - domain: The host, which may be international; a dot before it is left out.
    ///   - isHostOnly: Default false: hosts below get it, too.
    ///   - path: The path that requests have to begin with. Default all.
    ///   - isSecure: Whether it is for https alone. Default false.
    ///   - isHTTPOnly: Whether it has HttpOnly, which makes no difference here. Default false.
    ///   - sameSite: Its SameSite. Default nil: none.
    ///   - expiration: Seconds since 1970-01-01T00:00:00Z. Default nil: for the session.
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
        try checkPromises(namesPath: true)
    }

    /// A cookie whose parts were checked.
    init(
        unchecked name: String, _ value: String, domain: String, isHostOnly: Bool, path: String, isSecure: Bool,
        isHTTPOnly: Bool, sameSite: SameSite?, expiration: Int64?
    ) {
        content = CookieContent(
            name: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path, isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, sameSite: sameSite, expiration: expiration)
    }

    /// What its name and SameSite promise (RFC 6265bis 5.7, steps 19 to 22).
    ///
    /// - Parameter namesPath: Whether the path was said, rather than derived from the URL.
    func checkPromises(namesPath: Bool) throws(ClientCookie.Fault) {
        if sameSite == SameSite.none, !isSecure { throw .insecureSameSite }
        // A value without a name would look like a name with the prefix when it is sent.
        let promise = name.isEmpty ? value : name
        if CookieText.begins(promise, with: "__secure-") {
            guard isSecure, !name.isEmpty else { throw .brokenPrefix }
        } else if CookieText.begins(promise, with: "__host-") {
            guard isSecure, isHostOnly, namesPath, path == "/", !name.isEmpty else { throw .brokenPrefix }
        }
    }

    /// The host of a domain that was written by hand or stands in a file.
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

    /// The same cookie, to be kept no longer than until `latest`.
    func expiring(by latest: Int64) -> ClientCookie {
        guard let expiration, expiration > latest else { return self }
        return ClientCookie(
            unchecked: name, value, domain: domain, isHostOnly: isHostOnly, path: path, isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, sameSite: sameSite, expiration: latest)
    }

    /// Whether it is over at `now`.
    func isExpired(at now: Int64) -> Bool {
        expiration.map { $0 <= now } ?? false
    }
}

extension ClientCookie: CustomStringConvertible, CustomReflectable {
    /// Where it is sent, and nothing of its value; of a cookie without a name not more than that it has none.
    public var description: String {
        "cookie \(name.isEmpty ? "without a name" : name) of \(domain)\(path)"
    }

    /// The description alone, so that dumps show no value either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension ClientCookie {
    /// From where requests may carry a cookie (RFC 6265bis 5.6.7).
    ///
    /// A rule for browsers, in which one site makes requests in the name of another. No other site makes a client's
    /// requests, so that all are same-site: the value is kept and shown, and keeps no cookie back.
    @nonexhaustive public enum SameSite: String, Sendable, Hashable {
        /// From pages of the same site only.
        case strict
        /// From there, and by following a link.
        case lax
        /// From anywhere; with Secure only.
        case none
    }
}

/// The shared content of a cookie, by reference: cookies are copied, sorted and filtered a lot.
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
            || (left.name == right.name && left.value == right.value && left.domain == right.domain
                && left.isHostOnly == right.isHostOnly && left.path == right.path && left.isSecure == right.isSecure
                && left.isHTTPOnly == right.isHTTPOnly && left.sameSite == right.sameSite
                && left.expiration == right.expiration)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(value)
        hasher.combine(domain)
        hasher.combine(path)
    }
}

extension ClientCookie: Codable {
    private enum CodingKeys: CodingKey {
        case name, value, domain, hostOnly, path, secure, httpOnly, sameSite, expirationDate
    }

    /// Reads a cookie with the names that browsers' extensions give to its parts: `name`, `value`, `domain`,
    /// `hostOnly`, `path`, `secure`, `httpOnly`, `sameSite` (`strict`, `lax`, `no_restriction`) and `expirationDate` in
    /// seconds.
    ///
    /// All but the first three may be missing: a cookie without `hostOnly` is for its host only unless its domain
    /// begins with a dot.
    ///
    /// - Throws: `DecodingError`; with the ``ClientCookie/Fault`` as its cause where the cookie is none that may be.
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

    /// Writes it so. What has no value, or is false, is written as well, since other programs may expect it.
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
    /// Why a cookie cannot be, or is not stored. Names no value, since that may be a secret.
    @nonexhaustive public enum Fault: Error, Sendable, Hashable {
        /// There is neither a name nor a value.
        case empty
        /// A control character, or bytes that are no UTF-8; of a cookie made by hand also `;`, blanks around name or value,
        /// or `=` in the name.
        case badCharacter
        /// Name and value have more than 4,096 bytes together, or the path more than 1,024.
        case tooLong
        /// The domain is no host name, or not the one that sets the cookie or one above it.
        case badDomain
        /// The path does not begin with `/`.
        case badPath
        /// The domain is one below which everybody may register names, such as `co.uk`.
        case publicSuffix
        /// A secure cookie set without TLS, or a cookie that would hide a secure one without TLS.
        case insecure
        /// The name promises what the cookie does not keep: `__Secure-`, `__Host-` (RFC 6265bis 4.1.3).
        case brokenPrefix
        /// SameSite=None without Secure (RFC 6265bis 5.7).
        case insecureSameSite
    }
}

extension ClientCookie.Fault: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .empty: "the cookie has neither a name nor a value"
        case .badCharacter: "the cookie has a character that is not allowed"
        case .tooLong: "the cookie is too long"
        case .badDomain: "the cookie is for a domain that is not its host's"
        case .badPath: "the cookie's path does not begin with a slash"
        case .publicSuffix: "the cookie is for a public suffix"
        case .insecure: "the cookie needs TLS"
        case .brokenPrefix: "the cookie does not keep what the prefix of its name promises"
        case .insecureSameSite: "a cookie with SameSite=None has to be secure"
        }
    }
}
