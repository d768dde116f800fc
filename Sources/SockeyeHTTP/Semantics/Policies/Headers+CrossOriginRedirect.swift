extension Headers {
    /// The fields without those that describe or announce the content, for a redirected request without content.
    package var withoutContentFields: Headers {
        filtered { name in
            !name.hasPrefix("content-") && name != .transferEncoding && name != .trailer && name != .expect
        }
    }

    /// Returns the fields without `others`, and without those meant for one origin only, such as Authorization and
    /// Cookie (RFC 9110 15.4).
    ///
    /// - Parameter given: Fields that are kept in any case, because they were set for this very request.
    package func withoutCredentials(and others: [Headers.Name], besides given: Headers = [:]) -> Headers {
        filtered { !$0.isOriginBound && !others.contains($0) || given.contains($0) }
    }

    /// The fields without Referer, which would show the URL of a secure page to eavesdroppers (RFC 9110 10.1.3).
    package var withoutReferer: Headers {
        filtered { $0 != .referer }
    }
}

extension Headers.Name {
    /// True if a field of this name is meant only for the origin that it was set for, whatever its value.
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
