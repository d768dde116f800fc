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
