/// A fault of the peer: a violation of RFC 9112 or of a limit. The connection must be closed.
package enum PeerFault: Error, Sendable, Hashable {
    /// The connection ended before the first byte of a response.
    case closedBeforeResponse
    /// The connection ended inside a response head.
    case truncatedHead(received: Int)
    /// The connection ended inside a body. `expected` is nil if the framing does not tell the length.
    case truncatedBody(received: Int, expected: Int?)

    case badStatusLine
    /// The version begins with another digit than 1, as in `HTTP/2`.
    case unsupportedVersion
    /// The status code has three digits but is below 100.
    case badStatusCode(Int)
    case badFieldName(FieldNameExcerpt)
    case whitespaceBeforeColon
    /// A line begins with a blank where the client accepts no obsolete line folding: after the status line (RFC 9112
    /// 2.2), after a Content-Length or Transfer-Encoding field (RFC 9112 5.2), or in a trailer section.
    case obsFold
    /// A CR is not followed by LF.
    case bareCR
    /// An LF without CR ends a line. The client can be configured to accept such lines, but only in response heads.
    case bareLF
    case nulInHead
    case headTooLarge(limit: Int)
    case tooManyFields(limit: Int)
    case interimTooLarge(limit: Int)

    case badContentLength
    case conflictingContentLength
    case badTransferEncoding
    case transferEncodingInHTTP10

    case badChunkSize
    case chunkLineTooLong(limit: Int)
    case chunkExtensionTooLarge(limit: Int)
    case badChunkExtension
    case missingCRLFAfterChunk
    case trailersTooLarge(limit: Int)
    case tooManyTrailers(limit: Int)

    /// A 101 that the client cannot accept: the request offers no upgrade, the client still holds back the content
    /// (Expect: 100-continue), or the client has stopped sending the content before its end.
    case unexpectedUpgrade
    /// A 101 lacks the connection option `upgrade` (RFC 9110 7.8).
    case upgradeWithoutConnection
    /// A 101 names no protocol in Upgrade.
    case upgradeWithoutProtocol
    /// A 101 switches to another protocol than the request offers.
    case upgradeToOtherProtocol
    /// Bytes came while no response was expected.
    case surplusBytes(Int)
}

extension PeerFault: CustomStringConvertible {
    /// A sentence for people. It contains no bytes from the peer, except the printable start of a malformed field name.
    package var description: String {
        switch self {
        case .closedBeforeResponse, .truncatedHead, .truncatedBody: truncation
        case .badStatusLine: "the status line is not valid HTTP/1.x"
        case .unsupportedVersion: "the server answered with another version of HTTP than 1.x"
        case .badStatusCode(let code): "the status code \(code) is outside 100 to 999"
        case .badFieldName(let name): "a field line has no valid name before a colon; it begins with \(name)"
        case .whitespaceBeforeColon: "a field name is followed by a blank"
        case .obsFold: "a line begins with a blank where it cannot continue a field (obsolete line folding)"
        case .bareCR: "a carriage return is not followed by a line feed"
        case .bareLF: "a line ends in a line feed without a carriage return"
        case .nulInHead: "the head or the trailer section contains a NUL byte"
        case .badContentLength: "Content-Length is not a decimal number, or it is too large"
        case .conflictingContentLength: "Content-Length is given several times with different values"
        case .badTransferEncoding: "Transfer-Encoding is malformed, repeated, unknown, or has a coding after chunked"
        case .transferEncodingInHTTP10: "an HTTP/1.0 response has a Transfer-Encoding field"
        case .badChunkSize: "a chunk size is not a hexadecimal number of 1 to 16 digits, or it is too large"
        case .badChunkExtension: "a chunk extension is malformed"
        case .missingCRLFAfterChunk: "the data of a chunk is not followed by CRLF"
        case .unexpectedUpgrade, .upgradeWithoutConnection, .upgradeWithoutProtocol, .upgradeToOtherProtocol: upgrade
        case .surplusBytes(let count): "\(count) bytes were received while no response was expected"
        default: excess
        }
    }

    private var upgrade: String {
        switch self {
        case .upgradeWithoutConnection: "the 101 response has no field 'Connection: upgrade'"
        case .upgradeWithoutProtocol: "the 101 response does not name the new protocol in an Upgrade field"
        case .upgradeToOtherProtocol: "the server switched to a protocol that the request does not offer"
        default: "the server switched protocols unasked, or before the request was complete"
        }
    }

    private var truncation: String {
        switch self {
        case .truncatedHead(let received): "the connection closed inside the head, after \(received) bytes"
        case .truncatedBody(let received, let expected?):
            "the connection closed after \(received) of \(expected) body bytes"
        case .truncatedBody(let received, nil): "the connection closed inside the body, after \(received) bytes"
        default: "the connection closed before a response"
        }
    }

    private var excess: String {
        switch self {
        case .headTooLarge(let limit): "the head is larger than the limit of \(limit) bytes"
        case .tooManyFields(let limit): "the head has more fields than the limit of \(limit)"
        case .interimTooLarge(let limit):
            "the interim responses are together larger than the limit of \(limit) bytes"
        case .chunkLineTooLong(let limit): "a chunk-size line is longer than the limit of \(limit) bytes"
        case .chunkExtensionTooLarge(let limit): "the chunk extensions are larger than the limit of \(limit) bytes"
        case .trailersTooLarge(let limit): "the trailer section is larger than the limit of \(limit) bytes"
        case .tooManyTrailers(let limit): "the trailer section has more fields than the limit of \(limit)"
        default: "the response violates HTTP/1.1"
        }
    }
}
