/// A fault of a multipart body, sent or received.
package enum MultipartFault: Error, Sendable, Hashable {
    /// The boundary is missing or invalid.
    case badBoundary
    /// The content of the part with this number contains the boundary. The first part is number 1.
    case boundaryInPart(Int)

    /// The body ended without a single delimiter.
    case noDelimiter
    /// The closing boundary follows a preamble, without a part between them (RFC 2046 5.1.1). If the boundaries before
    /// the parts are misspelt, the parts look like a preamble.
    case noPart
    /// A boundary is followed neither by optional blanks and CRLF nor by two hyphens.
    case badDelimiterLine
    /// The body ended within a delimiter or the head of a part.
    case truncatedHead
    /// The body ended within the content of a part.
    case truncatedPart
    /// The fields of a part violate RFC 5322 or RFC 9110.
    case badHead(PeerFault)
    case preambleTooLarge(limit: Int)
    case headTooLarge(limit: Int)
    case tooManyParts(limit: Int)
}

extension MultipartFault: CustomStringConvertible {
    /// A sentence for people, without any byte of the body.
    package var description: String {
        switch self {
        case .badBoundary: "the multipart boundary is missing or invalid (RFC 2046)"
        case .boundaryInPart(let part): "part \(part) of the form contains the boundary of the form"
        case .noDelimiter: "the body has no boundary"
        case .noPart: "the body has text before its closing boundary, but no part"
        case .badDelimiterLine: "a boundary is not followed by the end of its line"
        case .truncatedHead: "the body ended inside a boundary line or the head of a part"
        case .truncatedPart: "the body ended inside a part"
        case .badHead(let fault): "the head of a part is malformed: \(fault)"
        case .preambleTooLarge(let limit): "the body has more than the limit of \(limit) bytes before the first part"
        case .headTooLarge(let limit): "the head of a part is larger than the limit of \(limit) bytes"
        case .tooManyParts(let limit): "the body has more parts than the limit of \(limit)"
        }
    }
}
