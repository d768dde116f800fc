/// Whether a connection persists after an exchange (RFC 9112 9.3).
package enum ConnectionVerdict: Sendable, Hashable {
    /// It can carry the next request. Seconds and number of uses as the server announced them.
    case reuse(keepAliveTimeout: Int?, max: Int?)
    /// The response is complete but the request is still being written: ask again when that has ended.
    case awaitUpload
    case close(CloseReason)

    /// Why a connection cannot be used again.
    package enum CloseReason: Sendable, Hashable {
        /// We sent `Connection: close`.
        case requested
        /// The server sent `Connection: close`.
        case announced
        /// HTTP/1.0 without `Connection: keep-alive`.
        case notPersistent
        /// The response body ended with the connection, or the server closed its side.
        case closedByPeer
        /// The response was not read to its end.
        case responseUnfinished
        /// The request was not written to its end.
        case requestUnfinished
        /// Both Transfer-Encoding and Content-Length were given (RFC 9112 6.1).
        case ambiguousLength
        /// Lines of the head ended in LF alone.
        case bareLineFeeds
        /// Bytes came behind the response.
        case surplus(Int)
        /// Reading or writing failed, or the response was malformed.
        case failed
        /// The connection speaks another protocol now.
        case handedOver
    }
}
