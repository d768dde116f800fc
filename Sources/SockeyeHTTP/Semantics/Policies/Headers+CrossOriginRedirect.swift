extension Headers {
    /// Without the fields that describe or announce the content, for a request that goes on without it.
    package var withoutContentFields: Headers {
        filtered { name in
            !name.hasPrefix("content-") && name != .transferEncoding && name != .trailer && name != .expect
        }
    }

    /// Without the fields that were meant for one origin only, such as Authorization and Cookie (RFC 9110 15.4), and `others`.
    ///
    /// - Parameter given: What is among these stays: it was set for the very request.
    package func withoutCredentials(and others: [Headers.Name], besides given: Headers = [:]) -> Headers {
        filtered { !$0.isOriginBound && !others.contains($0) || given.contains($0) }
    }

    /// Without Referer, which would show a secure page's URL to eavesdroppers (RFC 9110 10.1.3).
    package var withoutReferer: Headers {
        filtered { $0 != .referer }
    }
}

extension Headers.Name {
    /// Whether a field of this name is meant for the origin that it was set for, whatever it says.
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
