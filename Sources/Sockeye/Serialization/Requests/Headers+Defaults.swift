import SockeyeEngine
public import SockeyeHTTP

extension Headers {
    /// Accept-Language and User-Agent as AFNetworking sends them by default.
    ///
    /// Accept-Language lists the languages of the environment (`LANGUAGE` and the locale). It is missing if the locale
    /// is unset or `C`.
    ///
    /// Requests get these values only if you set them. By default, this library sends no Accept-Language, because the
    /// languages of a server process are not those of its users. The default User-Agent is
    /// ``ClientConfiguration/userAgent``.
    ///
    /// ```swift
    /// let api = client.scoped(headers: .defaults(product: "Mirror", version: "1.2"))
    /// // Accept-Language: de-DE;q=1, en;q=0.9
    /// // User-Agent: Mirror/1.2 (Linux 6.1.0)
    /// ```
    ///
    /// - Parameters:
    ///   - product: The name of the program; nil for the name of the executable. Common Latin, Greek and Cyrillic
    ///     letters beyond ASCII are transliterated (`Müller` becomes `Muller`); other letters beyond ASCII are removed.
    ///   - version: The version of the program; nil for none.
    public static func defaults(product: String? = nil, version: String? = nil) -> Headers {
        var headers = Headers()
        if let languages = AcceptLanguage(environment: .process).fieldValue { headers[.acceptLanguage] = languages }
        headers[.userAgent] = UserAgent(product: product, version: version).fieldValue
        return headers
    }
}

/// The languages of the environment, as a list with quality values (RFC 9110 12.5.4).
struct AcceptLanguage {
    private let languages: [String]

    /// Reads the environment like gettext. The locale is the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not
    /// empty. The languages of `LANGUAGE`, a list in order of priority, come first, followed by the language of the
    /// locale. Without a locale, and with the locale `C` or `POSIX`, there is no language at all.
    init(environment: EnvironmentVariables) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale, let language = Self.tag(locale) else {
            languages = []
            return
        }
        let preferred = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap { Self.tag(String($0)) }
        var distinct: [String] = []
        for tag in preferred + [language] where !distinct.contains(tag) { distinct.append(tag) }
        languages = distinct
    }

    /// At most six languages with quality values from 1 down in steps of 0.1, as AFNetworking writes them. Nil if there
    /// is no language.
    var fieldValue: String? {
        guard !languages.isEmpty else { return nil }
        return languages.prefix(6).enumerated().map { rank, language in
            "\(language);q=\(rank == 0 ? "1" : "0.\(10 - rank)")"
        }.joined(separator: ", ")
    }

    /// Returns the language tag (RFC 5646) of a POSIX locale: `de-DE` for `de_DE.UTF-8@euro`. Nil for `C`, `POSIX` and
    /// text that is not a locale.
    private static func tag(_ locale: String) -> String? {
        let parts = locale.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].prefix { $0 != "." }.split(separator: "_", omittingEmptySubsequences: false)
        guard name[0].utf8.count >= 2, name[0] != "POSIX",
            name.allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(isAlphanumeric) })
        else { return nil }
        var subtags = name.map(String.init)
        if parts.count == 2, let script = scripts[String(parts[1])] { subtags.insert(script, at: 1) }
        return subtags.joined(separator: "-")
    }

    private static let scripts = ["latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva", "iqtelif": "Latn"]

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}
