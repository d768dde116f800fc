import SockeyeHTTP1

extension Response {
    /// What the server says about showing or saving the content (RFC 6266); nil when it says nothing.
    public var contentDisposition: ContentDisposition? {
        // A field is bytes; as text those outside ASCII would be lost.
        rawValues(of: .contentDisposition).first.map { ContentDisposition(fieldBytes: $0) }
    }

    /// A name for the content that is safe to create in a folder: of Content-Disposition, else of the URL that answered,
    /// else `download`. See ``SuggestedFileName``.
    public var suggestedFileName: String {
        SuggestedFileName.make(contentDisposition, url: url)
    }

    /// What decides whether the body fits what is there already.
    var partialAnswer: PartialAnswer {
        var answer = PartialAnswer(status: statusCode)
        answer.contentRange = values(of: .contentRange)
        answer.eTags = values(of: .eTag)
        answer.lastModified = values(of: .lastModified)
        answer.date = self[.date]
        answer.length = body.expectedLength
        answer.isCoded = isDecoded || values(of: .contentEncoding).contains { $0.lowercased() != "identity" }
        answer.hasSeveralParts = contentType?.matches("multipart/byteranges") ?? false
        answer.support = RangeSupport(values(of: .acceptRanges))
        return answer
    }

    /// The checksums that the server gives for the whole content as it is delivered.
    var announcedChecksums: [Checksum] {
        // They are of the coded form, which is gone.
        guard !isDecoded else { return [] }
        return DigestFields.checksums(reprDigest: values(of: "Repr-Digest"), digest: values(of: "Digest"))
    }
}
