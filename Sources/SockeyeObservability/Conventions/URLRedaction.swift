public import SockeyeHTTP

/// How a URL is written in logs and spans (`url.full`). User name, password and fragment never are.
///
/// What a path holds nobody can tell: where a service has secrets in paths, write them with a redaction of your own.
///
/// ```swift
/// .tracing(urls: .usual.hiding("session"))
/// .logging(to: logger, urls: URLRedaction { "\($0.origin)/…" })
/// ```
public struct URLRedaction: Sendable {
    private let write: @Sendable (HTTPURL) -> String
    private let hiddenNames: Set<String>

    /// A redaction of your own. Called once for each URL that is written, in the caller's task.
    public init(_ write: @escaping @Sendable (HTTPURL) -> String) {
        self.write = write
        hiddenNames = []
    }

    /// Values of query items with these names become `REDACTED`.
    private init(hiding names: Set<String>) {
        hiddenNames = names
        write = { QueryRedactor(names: names).redacted($0) }
    }

    /// The values of query items in which services take secrets become `REDACTED`, as the conventions ask for; the names
    /// stay. Names are compared without case and percent-decoded: signatures and keys of Amazon, Azure and Google, tokens
    /// and secrets of OAuth 2.0 (RFC 6749), passwords and API keys.
    public static let usual = URLRedaction(hiding: [
        "awsaccesskeyid", "signature", "sig", "x-goog-signature", "x-goog-credential", "x-amz-signature",
        "x-amz-credential", "x-amz-security-token", "access_token", "refresh_token", "id_token", "id_token_hint",
        "token",
        "auth", "auth_token", "authorization", "client_secret", "client_assertion", "assertion", "code",
        "code_verifier",
        "password", "passwd", "pwd", "secret", "api_key", "apikey", "api-key", "x-api-key", "key", "private_token",
        "subscription-key", "session", "sessionid", "jwt", "saml_response", "samlresponse", "ticket", "otp",
    ])

    /// No query at all: scheme, host, port and path.
    public static let withoutQuery = URLRedaction { url in "\(url.origin)\(url.path)" }

    /// The same with further names of query items whose values become `REDACTED`. Nothing is added to a redaction of your
    /// own.
    public func hiding(_ names: String...) -> URLRedaction {
        guard !hiddenNames.isEmpty else { return self }
        return URLRedaction(hiding: hiddenNames.union(names.map { $0.lowercased() }))
    }

    /// The URL as it is written.
    public func callAsFunction(_ url: HTTPURL) -> String { write(url) }
}

/// A walker over the items of a query, which replaces values.
struct QueryRedactor {
    /// Lower-case names of items whose values are replaced.
    let names: Set<String>

    func redacted(_ url: HTTPURL) -> String {
        let whole = url.description
        if !url.hasQueryOrFragment { return whole }
        // Bytes, since looking for characters costs twenty times as much.
        let text = whole.utf8.firstIndex(of: UInt8(ascii: "#")).map { whole[..<$0] } ?? whole[...]
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return String(text) }
        let items = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        var isChanged = false
        let kept = items.map { item -> Substring in
            guard let equals = item.firstIndex(of: "="), isHidden(item[..<equals]) else { return item }
            isChanged = true
            return item[...equals] + "REDACTED"
        }
        return isChanged ? text[...mark] + kept.joined(separator: "&") : String(text)
    }

    private func isHidden(_ name: Substring) -> Bool {
        names.contains((name.utf8.contains(0x25) ? Self.percentDecoded(name) : String(name)).lowercased())
    }

    /// RFC 3986 2.1; what is no triplet stays as it is.
    private static func percentDecoded(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var (decoded, index) = ([UInt8](), 0)
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count,
                let value = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                decoded.append(value)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
