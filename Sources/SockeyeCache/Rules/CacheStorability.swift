import HTTPTypes

/// Storability (RFC 9111 3).
extension StoredResponse {
    /// Returns the reason why a response is not stored; nil if it is stored.
    ///
    /// A response with neither a lifetime nor a validator is stored, because calls with a mode that ignores age can use
    /// it (as with `NSURLCache`). A response that the server declares stale from the start is stored in three cases: it
    /// has a validator, `stale-while-revalidate` or `stale-if-error` allows its use, or the call has such a mode.
    ///
    /// The cache is private. It therefore stores `private` responses and responses to requests with Authorization (RFC
    /// 9111 3.5). It does not store partial responses (3.3). With `must-understand`, `no-store` is ignored for known
    /// statuses (5.2.2.3). Challenges (401, 407) are not stored, because a nonce is for one client and one time (RFC
    /// 7616 3.3). If the request is conditional or has a range, only a 200 is stored, not a 412 or 416.
    package func refusal(to cacheRequest: CacheRequest, use: CachedResponse.Mode = .useProtocol) -> CacheReason? {
        let status = response.status
        guard cacheRequest.method == .get, !cacheRequest.directives.has(.noStore) else { return .requestNoStore }
        guard Self.isStorable(status), status == 200 || !cacheRequest.isConditionalOrRange else { return .status }
        if directives.has(.mustUnderstand) {
            guard Self.isUnderstood(status) else { return .status }
        } else if directives.has(.noStore) {
            return .noStore
        }
        guard selectors != nil else { return .vary }
        guard fieldBytes <= Self.fieldLimit else { return .tooLarge }
        guard
            lifetime.isExplicit || directives.has(.isPublic) || directives.has(.isPrivate)
                || CachedResponse.isHeuristicallyCacheable(status)
        else { return .notCacheable }
        if lifetime.seconds > 0 || hasValidators || use.ignoresAge { return nil }
        if let most = [directives.staleWhileRevalidate, directives.staleIfError].compactMap(\.self).max(), most > 0 {
            return nil
        }
        return lifetime.isExplicit || directives.has(.noCache) ? .notCacheable : nil
    }

    /// The maximum number of field bytes of a stored response: 64 KiB. Each 304 may add fields, so the stored fields
    /// could otherwise grow without limit.
    private static let fieldLimit = 64 << 10

    /// Returns false for statuses that are never stored: partial content, 304, challenges, and those that "MUST NOT be
    /// stored by a cache" (RFC 6585).
    private static func isStorable(_ status: Int) -> Bool {
        switch status {
        case 206, 304, 401, 407, 428, 429, 431, 511: false
        default: (200...599).contains(status)
        }
    }

    /// Returns true for statuses with known caching rules (RFC 9110 15).
    private static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...205, 300...303, 307, 308, 400...417, 421, 422, 426, 500...505: true
        default: false
        }
    }
}

extension CachedResponse {
    /// The fields that make a request conditional on a change of this response (RFC 9111 4.3.1). The values are as
    /// received, because servers compare them byte by byte.
    package var validators: [(name: Headers.Name, value: String)] {
        var fields: [(name: Headers.Name, value: String)] = []
        if let tag = headers[values: .eTag].first, !tag.isEmpty { fields.append((.ifNoneMatch, tag)) }
        if let changed = headers[values: .lastModified].first, !changed.isEmpty {
            fields.append((.ifModifiedSince, changed))
        }
        return fields
    }

    /// Returns true if a 304 confirms this response (RFC 9111 4.3.4). An ETag in the 304 must match that of this
    /// response. Without an ETag in the 304, the two Last-Modified fields must be equal if both are present. A 304
    /// without validators confirms the response.
    package func isConfirmed(by newer: Headers) -> Bool {
        if let tag = newer[values: .eTag].first {
            guard let own = headers[values: .eTag].first else { return false }
            return Self.isWeak(tag)
                ? FieldBytes.areEqual(Self.opaque(tag), Self.opaque(own)) : FieldBytes.areEqual(tag, own)
        }
        guard let changed = newer[values: .lastModified].first, let own = headers[values: .lastModified].first else {
            return true
        }
        return FieldBytes.areEqual(changed, own)
    }

    /// Returns true if the answer to HEAD describes this response (RFC 9111 4.3.5).
    package func isDescribed(by newer: Headers, status: Int) -> Bool {
        guard status == self.status, isConfirmed(by: newer) else { return false }
        if let changed = newer[values: .lastModified].first,
            !FieldBytes.areEqual(changed, headers[values: .lastModified].first)
        {
            return false
        }
        guard let length = newer[values: .contentLength].first else { return true }
        return isCoded || Int(length) == bodyLength
    }

    private static func isWeak(_ tag: String) -> Bool { tag.utf8.starts(with: "W/".utf8) }

    private static func opaque(_ tag: String) -> Substring { Substring(tag.utf8.dropFirst(isWeak(tag) ? 2 : 0)) }
}
