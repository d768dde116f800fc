import HTTPTypes

/// The head of an answer from the cache: the fields of the stored response, Age (RFC 9111 5.1), and Content-Range for a
/// part of the content. The list of all fields is made only on demand.
///
/// A stored Set-Cookie is never included: it may hold the session of another caller.
package struct StoredHead: DeferredHead {
    private let stored: StoredResponse
    private let age: Int64
    private let part: Range<Int>?
    private let cookies: [String]

    /// - Parameters:
    ///   - part: The range of the served content; nil for all.
    ///   - cookies: The Set-Cookie values of the server's 304 to this call.
    package init(_ stored: StoredResponse, age: Int64, part: Range<Int>?, cookies: [String] = []) {
        self.stored = stored
        self.age = age
        self.part = part
        self.cookies = cookies
    }

    package var status: Int { part == nil ? stored.response.status : 206 }

    package var reason: String { part == nil ? stored.response.reason : "Partial Content" }

    package var isDecoded: Bool { stored.response.isDecoded }

    package func makeFields() -> Headers {
        var fields = stored.response.headers
        fields[.age] = String(age)
        if !cookies.isEmpty || fields.contains(.setCookie) { fields[values: .setCookie] = cookies }
        if let part {
            fields[.contentRange] = contentRange(part)
            fields[.contentLength] = String(part.count)
            for name in Self.ofWholeContent { fields[name] = nil }
        }
        return fields
    }

    /// The fields that describe the whole stored content and are omitted for a part of it (RFC 9530 2). Fields that
    /// describe the representation, such as Repr-Digest, are kept.
    private static let ofWholeContent: [Headers.Name] = ["Content-Digest", "Content-MD5"]

    package func values(of name: Headers.Name) -> [String] {
        if name == .age { return [String(age)] }
        if let part {
            if name == .contentRange { return [contentRange(part)] }
            if name == .contentLength { return [String(part.count)] }
            if Self.ofWholeContent.contains(name) { return [] }
        }
        if name == .setCookie { return cookies }
        return stored.response.headers[values: name]
    }

    private func contentRange(_ part: Range<Int>) -> String {
        "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(stored.response.bodyLength)"
    }
}
