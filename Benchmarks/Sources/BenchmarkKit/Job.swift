/// The request of a scenario.
package enum Job: Sendable, Equatable {
    /// GET; the body is read to its end and must have this number of bytes after decoding.
    case get(expecting: Int)
    /// GET of a JSON array, decoded into this number of ``User`` values.
    case json(users: Int)
    /// PUT of this number of bytes, with a Content-Length or chunked. The server answers with the number of received
    /// bytes. The bytes come from an asynchronous sequence, or from the file in the options.
    case upload(bytes: Int, chunked: Bool)
    /// POST of a form with a Content-Length, a field and a file of this number of bytes; the options name the file.
    case form(bytes: Int)

    /// The number of body bytes that one request moves; 0 for JSON, where values are counted instead.
    package var bytes: Int {
        switch self {
        case .get(let bytes), .upload(let bytes, _), .form(let bytes): bytes
        case .json: 0
        }
    }

    /// The number of additional bytes that the content may have: a form has some around its parts.
    var frameBytes: ClosedRange<Int> {
        if case .form = self { 100...2000 } else { 0...0 }
    }
}
