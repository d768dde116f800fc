/// What a cookie consists of, by reference: cookies are handed around, sorted and filtered a lot.
final class CookieContent: Sendable {
    let name: String
    let value: String
    let domain: String
    let isHostOnly: Bool
    let path: String
    let isSecure: Bool
    let isHTTPOnly: Bool
    let sameSite: Cookie.SameSite?
    let expiration: Int64?

    init(
        name: String, value: String, domain: String, isHostOnly: Bool, path: String, isSecure: Bool,
        isHTTPOnly: Bool, sameSite: Cookie.SameSite?, expiration: Int64?
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
