package import HTTPTypes

/// Whether a response may be stored, and whether that is of any use (RFC 9111 3).
extension CachedResponse {
    /// Why a response is not stored; nil where it is.
    ///
    /// The cache is private: `private` and responses to requests with Authorization are stored (3.5), and only parts are not
    /// (3.3). With `must-understand`, `no-store` is ignored for statuses that are known here (5.2.2.3).
    package func refusal(to inquiry: CacheInquiry) -> CacheReason? {
        guard inquiry.method == .get, !inquiry.directives.has(.noStore) else { return .requestNoStore }
        guard (200...599).contains(status), status != 206, status != 304 else { return .status }
        let directives = directives
        if directives.has(.mustUnderstand) {
            guard Self.isUnderstood(status) else { return .status }
        } else if directives.has(.noStore) {
            return .noStore
        }
        guard varyNames != nil else { return .vary }
        let lifetime = lifetime
        guard
            lifetime.isExplicit || directives.has(.isPublic) || directives.has(.isPrivate)
                || Self.isHeuristicallyCacheable(status)
        else { return .notCacheable }
        // Neither fresh for a moment nor to be confirmed: it would never be served.
        let hasUse =
            lifetime.seconds > 0 || !validators.isEmpty || (directives.staleWhileRevalidate ?? 0) > 0
            || (directives.staleIfError ?? 0) > 0
        return hasUse ? nil : .notCacheable
    }

    /// The statuses whose meaning for caches is known here (RFC 9110 15).
    private static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...205, 300...303, 307, 308, 400...417, 421, 422, 426, 500...505: true
        default: false
        }
    }

    /// The fields that a conditional request has (RFC 9111 4.3.1), as they came: servers compare them letter by letter.
    package var validators: [(name: FieldName, value: String)] {
        var fields: [(name: FieldName, value: String)] = []
        if let tag = headers[values: .eTag].first, !tag.isEmpty { fields.append((.ifNoneMatch, tag)) }
        if let changed = headers[values: .lastModified].first, !changed.isEmpty {
            fields.append((.ifModifiedSince, changed))
        }
        return fields
    }

    /// Whether a 304 is about this response (RFC 9111 4.3.4): one that names a version names this one.
    package func isConfirmed(by newer: HTTPFields) -> Bool {
        if let tag = newer[values: .eTag].first {
            guard let own = headers[values: .eTag].first else { return false }
            return tag.hasPrefix("W/") ? Self.opaque(tag) == Self.opaque(own) : tag == own
        }
        guard let changed = newer[values: .lastModified].first, let own = headers[values: .lastModified].first else {
            return true
        }
        return changed == own
    }

    /// Whether the answer to HEAD describes this response (RFC 9111 4.3.5).
    package func isDescribed(by newer: HTTPFields, status: Int) -> Bool {
        guard status == self.status, isConfirmed(by: newer) else { return false }
        if let changed = newer[values: .lastModified].first, changed != headers[values: .lastModified].first {
            return false
        }
        guard let length = newer[values: .contentLength].first else { return true }
        return isCoded || Int(length) == bodyLength
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
