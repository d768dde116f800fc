package import HTTPTypes

/// What a cache looks at in a request.
package struct CacheInquiry: Sendable {
    package private(set) var method: HTTPRequest.Method
    package let url: HTTPURL
    package let headers: Headers
    package let directives: CacheDirectives
    /// Whether the client undoes content codings of the answer.
    package let decodes: Bool
    /// See ``CachedResponse/partition``.
    package let partition: String

    /// - Parameters:
    ///   - decodes: Whether content codings are undone where the request says nothing else.
    ///   - separators: What the answers are kept apart by besides the fields of the request.
    /// - Returns: Nil where there is no digest to be had, and so no partition.
    package init?(
        method: HTTPRequest.Method, url: HTTPURL, headers: Headers, decodes: Bool, separators: [String] = []
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        directives = headers.isEmpty ? CacheDirectives() : CacheDirectives(request: headers)
        self.decodes = decodes && !headers.contains(.acceptEncoding) && !headers.contains(.range)
        guard let partition = Self.partition(url, headers, separators) else { return nil }
        self.partition = partition
    }

    /// The inquiry of a GET for the same.
    package var asGet: CacheInquiry {
        var inquiry = self
        inquiry.method = .get
        return inquiry
    }

    /// The primary key (RFC 9111 2): the URL without user information and fragment.
    package var key: String { url.cacheKey }

    /// The fields of which answers are kept apart whatever Vary says: those in which services take secrets, and those that
    /// change what is asked of whom.
    private static let separating: [FieldName] = [
        .authorization, .cookie, .acceptEncoding, .host, "Cookie2", "Api-Key", "Job-Token", "Private-Token",
        "X-Access-Token", "X-Amz-Security-Token", "X-API-Key", "X-Auth-Token", "X-CSRF-Token", "X-Goog-Api-Key",
        "X-Vault-Token", "X-XSRF-Token",
    ]

    private static let separatingNames = Set(separating.filter { $0 != .acceptEncoding }.map { $0.text.lowercased() })

    /// Whether answers are kept apart by a field, in lower case, so that Vary need not name it.
    static func separates(_ name: String) -> Bool { separatingNames.contains(name) }

    private static func partition(_ url: HTTPURL, _ headers: Headers, _ separators: [String]) -> String? {
        guard !headers.isEmpty || url.hasUserInfo || !separators.isEmpty else { return "" }
        var text = ""
        // With its length in front of each, nothing can pass for two others.
        func append(_ name: String, _ value: String) {
            text += "\(name) \(value.utf8.count) \(value)\n"
        }
        if !headers.isEmpty {
            for name in separating {
                for value in headers.values(for: name) { append(name.text, normalized([value])) }
            }
        }
        if let user = url.user {
            append("user", user)
            append("password", url.password ?? "")
        }
        for separator in separators { append("partition", separator) }
        return text.isEmpty ? "" : DigestHash.sha256.hexadecimal(of: text)
    }

    // MARK: Vary (RFC 9111 4.1)

    /// The values of the fields that Vary names, without those that are in the partition.
    func selectingFields(for names: [String]) -> [String: String] {
        var fields: [String: String] = [:]
        for name in names where !Self.separates(name) { fields[name] = selectingValue(of: name) }
        return fields
    }

    /// What the client itself asks for.
    private static let usualCodings = ContentCoding.accepted

    /// The value of a field in the form in which it is compared; nil where the request does not have it.
    private func selectingValue(of name: String) -> String? {
        if decodes, name == "accept-encoding" { return Self.usualCodings }
        guard !headers.isEmpty else { return nil }
        let values = headers.values(for: FieldName(name))
        return values.isEmpty ? nil : Self.normalized(values)
    }

    /// A list in one form: one line, one way of separating its members.
    private static func normalized(_ values: [String]) -> String {
        var members: [String] = []
        for value in values {
            var scan = FieldScanner(value.utf8Span.span)
            while let member = scan.quotedMember() { members.append(scan.string(member)) }
        }
        return members.joined(separator: ", ")
    }

    /// Whether a stored response was for such a request.
    package func selects(_ stored: StoredResponse) -> Bool {
        guard stored.response.partition == partition, stored.response.wasDecodable == decodes || !stored.isCoded,
            let selectors = stored.selectors
        else { return false }
        return selectors.allSatisfy { selectingValue(of: $0.name) == $0.value }
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

    /// Whether the method is safe (RFC 9110 9.2.1). Of those that are not known, none is.
    package var isSafe: Bool {
        switch method.rawValue {
        case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "REPORT", "SEARCH": true
        default: false
        }
    }
}
