/// What is wrong with a multipart body, on its way out or in.
package enum MultipartFault: Error, Sendable, Hashable {
    /// The text that should separate the parts cannot do so.
    case badBoundary
    /// A part, counted from 1, holds what should separate it from the next.
    case boundaryInPart(Int)

    /// The body ended without a single delimiter.
    case noDelimiter
    /// Behind a boundary stands something else than blanks and CRLF, or two hyphens.
    case badDelimiterLine
    /// The body ended within a delimiter or the head of a part.
    case truncatedHead
    /// The body ended within the content of a part.
    case truncatedPart
    /// The fields of a part break RFC 5322 and RFC 9110.
    case badHead(PeerFault)
    case preambleTooLarge(limit: Int)
    case headTooLarge(limit: Int)
    case tooManyParts(limit: Int)
}

extension MultipartFault: CustomStringConvertible {
    /// A sentence for people. It holds no byte of the body.
    package var description: String {
        switch self {
        case .badBoundary: "the boundary is missing or not one of RFC 2046"
        case .boundaryInPart(let part): "part \(part) of the form holds the boundary of the form"
        case .noDelimiter: "the body has no boundary"
        case .badDelimiterLine: "a boundary is not followed by the end of its line"
        case .truncatedHead: "the body ended inside the head of a part"
        case .truncatedPart: "the body ended inside a part"
        case .badHead(let fault): "the head of a part is malformed: \(fault)"
        case .preambleTooLarge(let limit): "more than the limit of \(limit) bytes stand before the first part"
        case .headTooLarge(let limit): "the head of a part is larger than the limit of \(limit) bytes"
        case .tooManyParts(let limit): "the body has more parts than the limit of \(limit)"
        }
    }
}
