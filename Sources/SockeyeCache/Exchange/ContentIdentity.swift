import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// The version of a response's content. Tells whether the rest of the content may be taken from another response.
struct ContentIdentity: Sendable, Equatable {
    var status = 200
    /// True if a content coding was decoded; positions then count decoded bytes.
    var isDecoded = false
    /// Nil if the head does not declare the length.
    var length: Int?
    var eTags: [String] = []
    var lastModified: [String] = []
    var date: String?
    var contentType: [String] = []
    /// The ``CachedResponse/id`` under which the response is being stored; nil if it is not stored.
    var storedID: String?

    private var validator: StrongValidator? {
        StrongValidator(eTags: eTags, lastModified: lastModified, date: date)
    }

    /// Returns true if the content of another response, from a position on, is the rest of this content.
    ///
    /// Status, decoding, content type and, if both declare it, length must be equal. At a position above 0, both must
    /// also have equal strong validators (RFC 9110 8.8.1). At position 0, equal validators of any strength suffice, and
    /// validators may be missing from both.
    func isContinued(by other: ContentIdentity, at position: Int) -> Bool {
        guard status == other.status, isDecoded == other.isDecoded,
            FieldBytes.areEqual(contentType, other.contentType)
        else { return false }
        if let length, let otherLength = other.length, length != otherLength { return false }
        if let own = validator, let others = other.validator { return own == others }
        return position == 0 && FieldBytes.areEqual(eTags, other.eTags)
            && FieldBytes.areEqual(lastModified, other.lastModified)
    }
}

extension ContentIdentity {
    /// - Parameter response: A response with an unread body.
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
