import SockeyeCore
public import SockeyeHTTP

/// How a URL is written in logs and spans (`url.full`): never with user name, password and fragment.
///
/// The library cannot tell secrets in a path. For a service that has some, write URLs with a redaction of your own.
///
/// ```swift
/// .tracing(urls: .usual.hiding("customer"))
/// .logging(to: logger, urls: URLRedaction { "\($0.origin)/…" })
/// ```
public struct URLRedaction: Sendable {
    private let write: @Sendable (HTTPURL) -> String
    /// Further names in lower case; nil for a redaction of the user's own.
    private let hiddenNames: Set<String>?

    /// A redaction of your own. Called once for each URL that is written, in the caller's task.
    public init(_ write: @escaping @Sendable (HTTPURL) -> String) {
        self.write = write
        hiddenNames = nil
    }

    /// Values of secret query items, and of items with these names, become `REDACTED`.
    private init(hiding names: Set<String>) {
        hiddenNames = names
        write = { QueryRedactor(names: names).redacted($0) }
    }

    /// The values of query items in which services take secrets become `REDACTED`, as the conventions ask for; the names
    /// stay. The names are those that the whole library takes for secret: tokens, signatures, credentials, keys for APIs,
    /// passwords, sessions, and the `code` of OAuth 2.0 (RFC 6749). They are compared percent-decoded, without case.
    public static let usual = URLRedaction(hiding: [])

    /// No query at all: scheme, host, port and path.
    public static let withoutQuery = URLRedaction { url in "\(url.origin)\(url.path)" }

    /// The same with further names of query items whose values become `REDACTED`. Nothing is added to a redaction of your
    /// own.
    public func hiding(_ names: String...) -> URLRedaction {
        guard let hiddenNames else { return self }
        return URLRedaction(hiding: hiddenNames.union(names.map { $0.lowercased() }))
    }

    /// The URL as it is written.
    public func callAsFunction(_ url: HTTPURL) -> String { write(url) }
}

/// A mask of secret query items, and of items with further names.
struct QueryRedactor {
    /// Lower-case names of further items whose values are replaced.
    let names: Set<String>

    func redacted(_ url: HTTPURL) -> String {
        guard url.hasQueryOrFragment else { return url.description }
        let mask = SecretItemMask(mark: "REDACTED") { name in
            SecretNames.isSecretItem(name) || !names.isEmpty && names.contains(name.lowercased())
        }
        return mask.masking(url: url.withFragment(nil).description)
    }
}
