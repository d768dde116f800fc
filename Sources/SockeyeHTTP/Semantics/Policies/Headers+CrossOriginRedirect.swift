import SockeyeCore

extension Headers {
    /// The fields without those that describe or announce the content, for a redirected request without content
    /// (RFC 9110 15.4).
    package var withoutContentFields: Headers {
        filtered { !$0.hasPrefix("content-") && !Self.ofContent.contains($0) }
    }

    /// The fields that describe or announce the content, except those with names that begin with `Content-`.
    private static let ofContent: Set<Headers.Name> = [
        "Digest", .expect, .lastModified, "Repr-Digest", .trailer, .transferEncoding,
    ]

    /// Returns the fields that a request to another origin may have (RFC 9110 15.4).
    ///
    /// - Parameters:
    ///   - others: The list of names from which ``WithheldFields`` determines the fields to remove.
    ///   - given: Fields that were set directly on the request to the other origin. Fields with these names are kept.
    package func withoutCredentials(and others: [Headers.Name], besides given: Headers = [:]) -> Headers {
        let withheld = WithheldFields(others)
        return filtered { !withheld.contains($0) || given.contains($0) }
    }

    /// The fields without Referer. After a redirect from https to http, Referer would show the URL of a secure page to
    /// eavesdroppers (RFC 9110 10.1.3).
    package var withoutReferer: Headers {
        filtered { $0 != .referer }
    }

    /// Returns the fields with Referer reduced to its origin, because path and query may hold secrets. Browsers do so
    /// by default in requests to another origin (Referrer Policy, `strict-origin-when-cross-origin`).
    ///
    /// Referer is kept whole if it has the origin of the target. Referer is removed if it has an https URL and the
    /// target is http, if the value is not an absolute URL, or if there are several values.
    package func limitingReferer(to target: HTTPURL.Origin) -> Headers {
        guard let referer = self[.referer] else { return self }
        guard self[values: .referer].count == 1, let origin = try? HTTPURL(referer).origin,
            origin.scheme == .http || target.scheme == .https
        else { return withoutReferer }
        guard origin != target else { return self }
        var limited = self
        limited[.referer] = "\(origin)/"
        return limited
    }
}

/// The fields that requests to another origin must not have: Authorization, Cookie and similar fields, and those that a
/// list names.
///
/// If the list has all ``usual`` names (the default list, or that list with further names), all fields with names of
/// secrets (``Headers/Name/isSecret``) are withheld, too. If a usual name is missing, the author of the list is assumed
/// to have decided about each name.
package struct WithheldFields {
    /// The usual names of fields that hold credentials of services.
    package static let usual = SecretNames.fields.map { Headers.Name($0) }

    private let names: [Headers.Name]
    private let includesSecrets: Bool

    package init(_ names: [Headers.Name]) {
        self.names = names
        includesSecrets = names.starts(with: Self.usual) || Self.usual.allSatisfy { names.contains($0) }
    }

    package func contains(_ name: Headers.Name) -> Bool {
        name.isOriginBound || names.contains(name) || includesSecrets && name.isSecret
    }
}

extension Headers.Name {
    /// True if a field of this name is meant only for the origin that it was set for.
    package var isOriginBound: Bool { Self.originBound.contains(self) }

    private static let originBound: Set<Headers.Name> = [
        .authorization, .proxyAuthorization, .cookie, "Cookie2", .wwwAuthenticate, .origin, .host,
    ]
}

extension Headers.Name {
    fileprivate func hasPrefix(_ lowercase: String) -> Bool {
        text.utf8.count >= lowercase.utf8.count
            && zip(text.utf8, lowercase.utf8).allSatisfy { ByteClass.lowercased($0) == $1 }
    }
}
