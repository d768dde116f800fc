import SockeyeCore
public import SockeyeHTTP

/// A rule for writing URLs in logs and spans (`url.full`). The predefined rules omit user name, password and fragment.
///
/// The library cannot recognize secrets in a path. For services with such paths, use a custom redaction.
///
/// ```swift
/// .tracing(urls: .usual.hiding("customer"))
/// .logging(to: logger, urls: URLRedaction { "\($0.origin)/…" })
/// ```
public struct URLRedaction: Sendable {
    private let write: @Sendable (HTTPURL) -> String
    /// The additional names of query items to redact, in lower case; nil for a custom redaction.
    private let hiddenNames: Set<String>?

    /// Makes a custom redaction. The closure is called at most once for each URL that is written, and the HTTP call
    /// waits until the closure returns.
    public init(_ write: @escaping @Sendable (HTTPURL) -> String) {
        self.write = write
        hiddenNames = nil
    }

    /// Makes a redaction that replaces the values of secret query items, and of items with these names, with
    /// `REDACTED`.
    private init(hiding names: Set<String>) {
        hiddenNames = names
        write = { QueryRedactor(names: names).redacted($0) }
    }

    /// Replaces the values of secret query items with `REDACTED`, as OpenTelemetry's conventions require. Secrets
    /// are tokens, signatures, credentials, API keys, passwords, sessions, and the `code` of OAuth 2.0 (RFC 6749).
    /// Names are compared percent-decoded, and without regard to case, `-`, `_`, `.` and spaces.
    public static let usual = URLRedaction(hiding: [])

    /// Omits the query: scheme, host, port and path remain.
    public static let withoutQuery = URLRedaction { url in "\(url.origin)\(url.path)" }

    /// Returns this redaction with additional names of query items to redact, compared percent-decoded and
    /// case-insensitively. A custom redaction and ``withoutQuery`` are returned unchanged.
    public func hiding(_ names: String...) -> URLRedaction {
        guard let hiddenNames else { return self }
        return URLRedaction(hiding: hiddenNames.union(names.map { $0.lowercased() }))
    }

    /// Returns the URL in its redacted form.
    public func callAsFunction(_ url: HTTPURL) -> String { write(url) }
}

/// Replaces the values of secret query items, and of items with additional names.
struct QueryRedactor {
    /// The text in place of a secret.
    static let mark = "REDACTED"
    /// The additional names, in lower case.
    let names: Set<String>

    func redacted(_ url: HTTPURL) -> String {
        guard url.hasQueryOrFragment else { return url.description }
        let mask = SecretItemMask(mark: Self.mark) { name in
            SecretNames.isSecretItem(name) || !names.isEmpty && isHidden(name)
        }
        return mask.masking(url: url.withFragment(nil).description)
    }

    /// Compares the bytes with those of each name. A look-up in the set would hash `name`. Hashing a `String`
    /// normalises it, which could take seconds for a long name from a redirect.
    private func isHidden(_ name: String) -> Bool {
        let lowercase = name.lowercased()
        return names.contains { $0.utf8.elementsEqual(lowercase.utf8) }
    }
}
