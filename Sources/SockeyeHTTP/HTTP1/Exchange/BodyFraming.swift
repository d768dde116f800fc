/// The framing of a response body: how its end is found (RFC 9112 6.3).
package enum BodyFraming: Sendable, Hashable {
    /// There is no body, whatever the fields say.
    case none
    /// Exactly this many bytes.
    case length(Int)
    case chunked
    /// All bytes until the connection ends in an orderly way.
    case untilClose
    /// What follows is no body but another protocol: the tunnel of a successful CONNECT.
    case tunnel

    /// The rules of RFC 9112 6.3 in their order. Not for 101, after which there is no HTTP.
    ///
    /// Where both Transfer-Encoding and Content-Length are given the former wins, and
    /// ``isAmbiguous(_:)`` says that the connection must not be used again.
    package static func determine(
        _ head: ResponseHeadSummary,
        for method: MethodKind
    ) throws(PeerFault) -> BodyFraming {
        // Any 2xx opens the tunnel, 204 too (RFC 9110 9.3.6).
        if method == .connect, 200..<300 ~= head.status { return .tunnel }
        if method == .head || head.isInterim || head.status == 204 || head.status == 304 { return .none }
        switch head.transferEncoding {
        case .absent: break
        case .chunked, .untilClose:
            // HTTP/1.0 has no transfer codings, so something on the way did not understand them (RFC 9112 6.1).
            guard head.minorVersion > 0 else { throw .transferEncodingInHTTP10 }
            return head.transferEncoding == .chunked ? .chunked : .untilClose
        }
        return head.contentLength.map { .length($0) } ?? .untilClose
    }

    /// Whether two fields give the body's end, so that two recipients may see two ends.
    package static func isAmbiguous(_ head: ResponseHeadSummary) -> Bool {
        (head.transferEncoding != .absent || head.hasIdentityCoding) && head.contentLength != nil
    }

    /// Whether not one byte of body can follow.
    package var isEmpty: Bool {
        self == .none || self == .length(0)
    }

    /// The number of bytes to come, where the framing tells.
    package var length: Int? {
        switch self {
        case .none: 0
        case .length(let count): count
        case .chunked, .untilClose, .tunnel: nil
        }
    }
}
