package import HTTPTypes
package import SockeyeCore

/// What ``MultipartParser`` finds, in the order of the body.
package enum MultipartEvent: Sendable, Equatable {
    /// Nothing more to tell until bytes are appended.
    case needMore
    /// A part begins; what was left of the one before is over.
    case part(HTTPFields)
    /// Some of the content of the part. Never empty.
    case data(Bytes)
    /// The content of the part is complete.
    case endOfPart
    /// The last part is over. What follows means nothing (RFC 2046 5.1.1).
    case finished
}
