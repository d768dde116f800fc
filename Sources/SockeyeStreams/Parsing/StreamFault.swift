/// A fault of content that is parsed as lines, JSON texts or events.
package enum StreamFault: Error, Sendable, Hashable {
    case lineTooLong(limit: Int)
    case textTooLong(limit: Int)
    case eventTooLarge(limit: Int)
    case eventIDTooLong(limit: Int)
    /// A number or literal in a JSON text sequence has no line feed or blank after it, so it may be incomplete
    /// (RFC 7464 2.4).
    case truncatedText
    /// There are bytes after a JSON text that do not belong to another JSON text (RFC 7464 2.1).
    case bytesBetweenTexts
}

extension StreamFault: CustomStringConvertible {
    /// A sentence for people, without any byte of the content.
    package var description: String {
        switch self {
        case .lineTooLong(let limit): "a line is longer than the limit of \(limit) bytes"
        case .textTooLong(let limit): "a JSON text is longer than the limit of \(limit) bytes"
        case .eventTooLarge(let limit): "an event is larger than the limit of \(limit) bytes"
        case .eventIDTooLong(let limit): "the ID of an event is longer than the limit of \(limit) bytes"
        case .truncatedText: "a JSON text of the sequence has no line feed after it, and may be cut short"
        case .bytesBetweenTexts: "there are bytes between two JSON texts of the sequence"
        }
    }

    /// The exceeded limit, with the name that the error shows; nil for a fault that exceeds no limit.
    package var limit: (name: String, bytes: Int)? {
        switch self {
        case .lineTooLong(let limit): ("line", limit)
        case .textTooLong(let limit): ("text", limit)
        case .eventTooLarge(let limit): ("event", limit)
        case .eventIDTooLong(let limit): ("eventID", limit)
        case .truncatedText, .bytesBetweenTexts: nil
        }
    }
}
