/// The names of header fields, query and form items, and JSON members whose values are secret.
///
/// Errors, logs, spans, recordings, curl commands, redirects, cache keys and encoded client settings all use this type,
/// so that no part of the library shows a value that another part hides. Names are compared in folded form: in lower
/// case and without `-`, `_`, `.` and blanks. Thus `X-API-Key`, `x_api_key` and `xApiKey` are the same name.
package enum SecretNames {
    /// The header fields in which many services expect credentials. By default, a redirect to another origin removes
    /// these fields. Such a redirect always removes Authorization, Proxy-Authorization and Cookie, so they are not
    /// listed here.
    package static let fields = [
        "Api-Key", "App-Key", "DPoP", "Job-Token", "Ocp-Apim-Subscription-Key", "Private-Token", "X-Access-Key",
        "X-Access-Token", "X-Amz-Security-Token", "X-Amzn-Oidc-Accesstoken", "X-Amzn-Oidc-Data", "X-API-Key",
        "X-API-Secret", "X-API-Token", "X-App-Key", "X-Auth-Key", "X-Auth-Token", "X-Authorization", "X-Client-Secret",
        "X-Consul-Token", "X-CSRF-Token", "X-Figma-Token", "X-Functions-Key", "X-Gitlab-Token", "X-Goog-Api-Key",
        "X-Goog-Iam-Authorization-Token", "X-Id-Token", "X-Master-Key", "X-MBX-APIKEY", "X-Plex-Token",
        "X-Refresh-Token", "X-Secret-Key", "X-Session-Id", "X-Session-Token", "X-Shopify-Access-Token",
        "X-Subject-Token",
        "X-Token", "X-Vault-Token", "X-XSRF-Token",
    ]

    /// Folded parts: a name that contains one of them is secret.
    private static let parts = NameTable([
        "accesskey", "accountkey", "apikey", "appkey", "applicationkey", "assertion", "authcode", "authkey",
        "authorization", "codeverifier", "credential", "csrf", "customerkey", "functionskey", "jsessionid", "jwt",
        "licensekey", "masterkey", "oauthverifier", "oidcdata", "passphrase", "passwd", "password", "phpsessid",
        "privatekey",
        "samlresponse", "secret", "sessid", "session", "sharedkey", "signature", "signingkey", "subscriptionkey",
        "token",
        "xsrf",
    ])

    /// Folded whole names that are secret everywhere.
    private static let names = NameTable([
        "auth", "bearer", "cookie", "cookie2", "dpop", "hdnea", "hdntl", "hdnts", "hmac", "oauth", "otp", "pass",
        "passcode", "pwd", "setcookie", "setcookie2", "sig", "totp", "xauth",
    ])

    /// Folded whole names that are secret as items of a query, a form or a fragment. In JSON they have other meanings,
    /// such as an error code.
    private static let items = NameTable(["code", "devicecode", "key", "pin", "sid", "ticket", "usercode"])

    /// Folded names that contain a secret part but are not secret: counts of tokens, the type of a token, and a field
    /// of CORS.
    private static let harmless = NameTable([
        "accesscontrolallowcredentials", "completiontokens", "inputtokens", "maxoutputtokens", "maxtokens",
        "outputtokens", "prompttokens", "tokentype", "totaltokens",
    ])
    /// Folded parts: a name that contains one of them is not secret, even with a secret part.
    private static let harmlessParts = NameTable(["ratelimit"])

    /// True if the value of a field or of a JSON member with this name is secret.
    package static func isSecret(_ name: String) -> Bool {
        let bytes = name.utf8Span.span
        guard names.containsWhole(bytes) || parts.containsPart(of: bytes) else { return false }
        return !harmless.containsWhole(bytes) && !harmlessParts.containsPart(of: bytes)
    }

    /// True if the value of an item of a query, a form or a fragment is secret.
    ///
    /// - Parameter name: The name, percent-decoded.
    package static func isSecretItem(_ name: String) -> Bool {
        isSecret(name) || items.containsWhole(name.utf8Span.span)
    }
}

/// A set of folded names, grouped by their first letters. Caches check the name of every field, so matching is
/// implemented without allocations.
private struct NameTable: Sendable {
    private var namesByLetter = [[[UInt8]]](repeating: [], count: 26)

    init(_ names: [String]) {
        for name in names {
            let bytes = Array(name.utf8)
            namesByLetter[Int(bytes[0] - 0x61)].append(bytes)
        }
    }

    func containsWhole(_ name: Span<UInt8>) -> Bool {
        var start = 0
        while start < name.count, Self.isSeparator(name[start]) { start += 1 }
        return matches(name, at: start) { end in
            var rest = end
            while rest < name.count, Self.isSeparator(name[rest]) { rest += 1 }
            return rest == name.count
        }
    }

    /// True if the given name contains a name of the table.
    func containsPart(of name: Span<UInt8>) -> Bool {
        for start in 0..<name.count where matches(name, at: start, { _ in true }) { return true }
        return false
    }

    /// Returns true if a name of the table begins at `start` and `accepts` returns true for the offset after it.
    private func matches(_ name: Span<UInt8>, at start: Int, _ accepts: (Int) -> Bool) -> Bool {
        guard start < name.count else { return false }
        let letter = Self.lowercased(name[start])
        guard 0x61...0x7A ~= letter else { return false }
        for candidate in namesByLetter[Int(letter - 0x61)] {
            if let end = Self.end(of: candidate, in: name, at: start), accepts(end) { return true }
        }
        return false
    }

    /// Returns the offset after the candidate, if the candidate begins at `start`; otherwise nil.
    private static func end(of candidate: [UInt8], in name: Span<UInt8>, at start: Int) -> Int? {
        var position = start
        for byte in candidate {
            while position > start, position < name.count, isSeparator(name[position]) { position += 1 }
            guard position < name.count, lowercased(name[position]) == byte else { return nil }
            position += 1
        }
        return position
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == 0x2D || byte == 0x5F || byte == 0x2E || byte == 0x20
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
}
