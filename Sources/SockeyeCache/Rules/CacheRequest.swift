package import HTTPTypes

/// The properties of a request that a cache depends on.
package struct CacheRequest: Sendable {
    package private(set) var method: HTTPRequest.Method
    package let url: HTTPURL
    package let headers: Headers
    package let directives: CacheDirectives
    /// True if the client decodes content codings of the response.
    package let decodes: Bool
    private let userAgent: String?
    private let partitions: CachePartition

    /// - Parameters:
    ///   - decodes: True if the client decodes content codings. Even then it does not decode the response to a request
    ///     with Range, or with a coding other than `identity` in Accept-Encoding.
    ///   - separators: Values that separate stored responses in addition to the fields of the request.
    ///   - userAgent: The User-Agent that the client adds if the fields have none.
    ///   - secretFields: The names of the fields that the client configured as secret.
    /// - Returns: Nil if OpenSSL cannot compute the digest that separates users (``CachedResponse/partition``).
    package init?(
        method: HTTPRequest.Method, url: HTTPURL, headers: Headers, decodes: Bool, separators: [String] = [],
        userAgent: String? = nil, secretFields: Set<Headers.Name> = []
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.userAgent = userAgent
        directives = headers.isEmpty ? CacheDirectives() : CacheDirectives(request: headers)
        self.decodes = decodes && headers.acceptsOnlyIdentity && !headers.contains(.range)
        // An unsafe request is not looked up: it only invalidates stored responses, for all users (RFC 9111 4.4). So no
        // partition is computed: if OpenSSL refused to compute its digest, the invalidation would fail.
        guard MethodKind(method.rawValue).isSafe else {
            partitions = .unseparated
            return
        }
        guard let partitions = CachePartition(url, headers, separators, secretFields) else { return nil }
        self.partitions = partitions
    }

    /// The ``CachedResponse/partition`` of a response without the directive `private`.
    package var partition: String { partitions.common }

    /// Returns the ``CachedResponse/partition`` of a response with or without the directive `private`.
    func partition(isPrivate: Bool) -> String { isPrivate ? partitions.personal : partitions.common }

    package var asGet: CacheRequest {
        var cacheRequest = self
        cacheRequest.method = .get
        return cacheRequest
    }

    /// The primary key (RFC 9111 2): the URL without user information and fragment.
    package var key: String { url.cacheKey }

    // MARK: Vary (RFC 9111 4.1)

    /// Returns the values of the request fields that Vary names, except for the fields whose values are part of
    /// ``partition``.
    func selectingFields(for names: [String]) -> [String: String] {
        var fields: [String: String] = [:]
        for name in names where !partitions.separates(name) { fields[name] = selectingValue(of: name) }
        return fields
    }

    /// The client's own Accept-Encoding.
    private static let usualCodings = ContentCoding.accepted

    /// Returns the value of a field in its normalised form for comparison; nil if the request is sent without the
    /// field.
    ///
    /// Accept-Encoding counts as the client's own value if the client decodes the response. A missing User-Agent counts
    /// as the value that the client adds. A missing Accept needs no value: the client adds the same value to each
    /// request without the field.
    private func selectingValue(of name: String) -> String? {
        if decodes, name == "accept-encoding" { return Self.usualCodings }
        let values = headers.isEmpty ? [] : headers[values: Headers.Name(name)]
        if !values.isEmpty { return CachePartition.normalized(values) }
        guard name == "user-agent", let userAgent else { return nil }
        return CachePartition.normalized([userAgent])
    }

    /// Returns true if the stored response matches this request (Vary, partition and decoding).
    package func selects(_ stored: StoredResponse) -> Bool {
        guard stored.response.partition == partition(isPrivate: stored.directives.has(.isPrivate)),
            stored.response.wasDecodable == decodes || !stored.isCoded, let selectors = stored.selectors
        else { return false }
        return selectors.allSatisfy { selector in
            // A client stores no value for a field that is part of its partition, because the field may be secret. If a
            // value is stored, another client, for which the field is not secret, stored the response. The values are
            // then compared.
            selector.value == nil && partitions.separates(selector.name)
                || FieldBytes.areEqual(selectingValue(of: selector.name), selector.value)
        }
    }

    // MARK: Conditions of the caller

    /// True if the caller made the request conditional (RFC 9110 13.1).
    package var isConditional: Bool {
        !headers.isEmpty
            && (headers.contains(.ifNoneMatch) || headers.contains(.ifModifiedSince) || headers.contains(.ifMatch)
                || headers.contains(.ifUnmodifiedSince))
    }

    /// True if a response with a status other than 200 may concern the caller's condition or range. Such a response is
    /// useless for other requests.
    var isConditionalOrRange: Bool { isConditional || headers.contains(.range) }

    /// True if the method is safe (RFC 9110 9.2.1).
    package var isSafe: Bool { MethodKind(method.rawValue).isSafe }
}
