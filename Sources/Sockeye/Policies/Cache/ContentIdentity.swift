import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// The version of the content of a response, to tell whether the content of another response may continue it.
struct ContentIdentity: Sendable, Equatable {
    var status = 200
    /// Whether a content coding was undone: positions count decoded bytes then.
    var isDecoded = false
    /// Nil if the head does not tell it.
    var length: Int?
    var eTags: [String] = []
    var lastModified: [String] = []
    var date: String?
    var contentType: [String] = []
    /// The ``CachedResponse/id`` under which the response is being stored.
    var storedID: String?

    private var validator: StrongValidator? {
        StrongValidator(eTags: eTags, lastModified: lastModified, date: date)
    }

    /// Whether the content of the other response, from a position on, is the rest of this one's content: by a strong validator
    /// (RFC 9110 8.8.1). From the beginning, heads that describe the same are enough.
    func isContinued(by other: ContentIdentity, at position: Int) -> Bool {
        guard status == other.status, isDecoded == other.isDecoded, contentType == other.contentType else {
            return false
        }
        if let length, let otherLength = other.length, length != otherLength { return false }
        if let own = validator, let others = other.validator { return own == others }
        return position == 0 && eTags == other.eTags && lastModified == other.lastModified
    }
}

extension ContentIdentity {
    /// - Parameter response: A response whose body was not begun to be read.
    init(of response: IncomingResponse) {
        status = response.statusCode
        isDecoded = response.isDecoded
        length = response.body.expectedLength
        eTags = response.values(of: .eTag)
        lastModified = response.values(of: .lastModified)
        date = response[.date]
        contentType = response.values(of: .contentType)
        storedID = response.storingSource?.id
    }
}
