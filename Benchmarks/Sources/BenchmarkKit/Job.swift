/// What one request of a scenario is.
package enum Job: Sendable, Equatable {
    /// GET; the body is read to its end and must have this many bytes, after a content coding was undone.
    case get(expecting: Int)
    /// GET of a JSON array, decoded into as many ``User`` values.
    case json(users: Int)
    /// PUT of this many bytes, with a Content-Length or chunked; the server answers with the number of bytes that it
    /// received. They come from an asynchronous sequence, or from the file that the options name.
    case upload(bytes: Int, chunked: Bool)
    /// POST of a form with a field and a file of this many bytes, which the options name, and with a Content-Length.
    case form(bytes: Int)

    /// How many body bytes one request moves; 0 for JSON, where values are counted instead.
    package var bytes: Int {
        switch self {
        case .get(let bytes), .upload(let bytes, _), .form(let bytes): bytes
        case .json: 0
        }
    }

    /// How many bytes of content the request may have besides those: a form has some around its parts.
    var frameBytes: ClosedRange<Int> {
        if case .form = self { 100...2000 } else { 0...0 }
    }
}
