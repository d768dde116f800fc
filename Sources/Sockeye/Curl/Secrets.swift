package import SockeyeHTTP

/// What in a request is secret, by its name.
package enum Secrets {
    /// What stands in place of a secret.
    static let mask = "***"

    private static let fields: Set<FieldName> = Set(
        [.authorization, .proxyAuthorization, .cookie, "Cookie2"] + InterceptorList.usualStrippedFields)

    /// Parts of names, in lower case, of fields and parameters that hold secrets.
    private static let telling = [
        "token", "secret", "password", "passwd", "passphrase", "signature", "credential", "apikey", "api-key",
        "api_key",
        "accesskey", "access_key", "authorization", "session",
    ]
    /// Whole names of parameters that do, too.
    private static let parameters: Set<String> = ["sig", "key", "auth", "code", "pwd", "pass", "jwt", "hmac"]

    package static func isSecret(_ field: FieldName) -> Bool {
        fields.contains(field) || isTelling(field.description.lowercased())
    }

    private static func isTelling(_ name: String) -> Bool { telling.contains { name.contains($0) } }

    /// A URL with the values masked of parameters that hold secrets.
    static func masking(_ url: String) -> String {
        guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return url }
        let start = url.index(after: mark)
        let pairs = url[start...].split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return String(pair) }
            let name = String(decoding: PercentEncoding.decode(pair[..<equals].utf8), as: UTF8.self).lowercased()
            guard parameters.contains(name) || isTelling(name) else { return String(pair) }
            return pair[...equals] + mask
        }
        return url[..<start] + pairs.joined(separator: "&")
    }
}
