package import HTTPTypes

/// What a cache looks at in a request.
package struct CacheInquiry: Sendable {
    package private(set) var method: HTTPRequest.Method
    package let url: HTTPURL
    package let headers: Headers
    package let directives: CacheDirectives
    /// Whether the client undoes content codings of the answer.
    package let decodes: Bool
    private let partitions: CachePartition

    /// - Parameters:
    ///   - decodes: Whether content codings are undone where the request says nothing else.
    ///   - separators: Values that separate stored responses in addition to the fields of the request.
    ///   - secretFields: Names of further fields that carry credentials, such as those that a client drops at redirects.
    /// - Returns: Nil if the library cannot compute a digest, and so no partition.
    package init?(
        method: HTTPRequest.Method, url: HTTPURL, headers: Headers, decodes: Bool, separators: [String] = [],
        secretFields: Set<Headers.Name> = []
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        directives = headers.isEmpty ? CacheDirectives() : CacheDirectives(request: headers)
        self.decodes = decodes && headers.refusesCodings && !headers.contains(.range)
        guard let partitions = CachePartition(url, headers, separators, secretFields) else { return nil }
        self.partitions = partitions
    }

    /// The ``CachedResponse/partition`` of a response without the directive `private`.
    package var partition: String { partitions.common }

    /// The ``CachedResponse/partition`` of a response.
    ///
    /// - Parameter isPrivate: Whether the response has the directive `private`.
    func partition(isPrivate: Bool) -> String { isPrivate ? partitions.personal : partitions.common }

    /// The inquiry of a GET for the same.
    package var asGet: CacheInquiry {
        var inquiry = self
        inquiry.method = .get
        return inquiry
    }

    /// The primary key (RFC 9111 2): the URL without user information and fragment.
    package var key: String { url.cacheKey }

    // MARK: Vary (RFC 9111 4.1)

    /// The values of the fields that Vary names, without those that are in the partition.
    func selectingFields(for names: [String]) -> [String: String] {
        var fields: [String: String] = [:]
        for name in names where !partitions.separates(name) { fields[name] = selectingValue(of: name) }
        return fields
    }

    /// What the client itself asks for.
    private static let usualCodings = ContentCoding.accepted

    /// The value of a field in the form in which it is compared; nil where the request does not have it.
    private func selectingValue(of name: String) -> String? {
        if decodes, name == "accept-encoding" { return Self.usualCodings }
        guard !headers.isEmpty else { return nil }
        let values = headers[values: Headers.Name(name)]
        return values.isEmpty ? nil : CachePartition.normalized(values)
    }

    /// Whether a stored response was for such a request.
    package func selects(_ stored: StoredResponse) -> Bool {
        guard stored.response.partition == partition(isPrivate: stored.directives.has(.isPrivate)),
            stored.response.wasDecodable == decodes || !stored.isCoded, let selectors = stored.selectors
        else { return false }
        return selectors.allSatisfy { partitions.separates($0.name) || selectingValue(of: $0.name) == $0.value }
    }

    // MARK: What the caller does by himself

    /// Whether it is a conditional request of the caller's own (RFC 9110 13.1), whose answer is meant for him.
    package var isConditional: Bool {
        !headers.isEmpty
            && (headers.contains(.ifNoneMatch) || headers.contains(.ifModifiedSince) || headers.contains(.ifMatch)
                || headers.contains(.ifUnmodifiedSince))
    }

    /// Whether what else than 200 it is answered may be about the condition or the range, and so nothing for other requests.
    var isOfOneCaller: Bool { isConditional || headers.contains(.range) }

    /// Whether the method is safe (RFC 9110 9.2.1).
    package var isSafe: Bool { MethodKind(method.rawValue).isSafe }
}
