public import SockeyeCore
import SockeyeHTTP

extension IncomingResponse {
    /// Reads the content into memory and keeps it in the response, so that it can be read again.
    ///
    /// ```swift
    /// var response = try await call.proceed(request)
    /// let content = try await response.collectBody(upTo: 1 << 20)
    /// log(content.count)
    /// return response
    /// ```
    ///
    /// Fields and trailers stay as they are.
    ///
    /// - Parameter limit: The most bytes to accept. Default 16 MiB.
    /// - Throws: As ``Body/collect(upTo:)``.
    public mutating func collectBody(upTo limit: Int = defaultCollectLimit) async throws(SockeyeError) -> Bytes {
        let bytes = try await body.collect(upTo: limit)
        let content = BodyContent(first: bytes, expectedLength: bytes.count, trailers: trailers)
        self = with(ResponseStorage(head, body: content))
        return bytes
    }

    /// Returns the response with other content.
    ///
    /// Content-Length is set to the length of the new content, unless the client decoded the previous content: such a
    /// response has no Content-Length, and none is added. Fields that described the framing or the digest of the
    /// previous content are removed: Transfer-Encoding, Content-Digest, Repr-Digest, Digest and Content-MD5. All other
    /// fields, the history and the metrics stay; trailers do not. Previous content that is unread is discarded.
    public func replacingBody(_ bytes: Bytes) -> IncomingResponse {
        var fields = headers
        for name in Self.descriptionsOfContent { fields[name] = nil }
        if !isDecoded { fields[.contentLength] = "\(bytes.count)" }
        discard()
        let content = BodyContent(first: bytes, expectedLength: bytes.count)
        return with(ResponseStorage(head, fields: fields, body: content))
    }

    private static let descriptionsOfContent: [Headers.Name] = [
        "Transfer-Encoding", "Content-Digest", "Repr-Digest", "Digest", "Content-MD5",
    ]
}
