extension Headers {
    /// Without the fields that describe or announce the content, for a request that goes on without it.
    package var withoutContentFields: Headers {
        filtered { name in
            !name.hasPrefix("content-") && name != .transferEncoding && name != .trailer && name != .expect
        }
    }

    /// Without the fields that were meant for one origin only (RULE 44), and `others`.
    package func withoutCredentials(and others: [FieldName]) -> Headers {
        filtered { !Self.originBound.contains($0) && !others.contains($0) }
    }

    private static let originBound: Set<FieldName> = [
        .authorization, .proxyAuthorization, .cookie, "Cookie2", .wwwAuthenticate, .origin, .host,
    ]
}

extension FieldName {
    fileprivate func hasPrefix(_ lowercase: String) -> Bool {
        text.utf8.count >= lowercase.utf8.count
            && zip(text.utf8, lowercase.utf8).allSatisfy { ByteClass.lowercased($0) == $1 }
    }
}
