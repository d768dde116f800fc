/// What one request of a scenario is.
package enum Job: Sendable, Equatable {
    /// GET; the body is read to its end and must have this many bytes.
    case get(expecting: Int)
    /// PUT of this many bytes from an asynchronous sequence, with a Content-Length or chunked; the server answers
    /// with the number of bytes that it received.
    case upload(bytes: Int, chunked: Bool)

    /// How many body bytes one request moves.
    package var bytes: Int {
        switch self {
        case .get(let bytes), .upload(let bytes, _): bytes
        }
    }
}
