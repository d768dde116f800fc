import SockeyeHTTP

/// The limits of a body that is delivered with its content coding, for a reader that undoes the coding later
/// (``IncomingResponse/undoCodings(_:)``).
///
/// A class, so that a response without a coding stores only a null pointer.
package final class CodedLimits: Sendable {
    let decoding: DecodingLimits
    /// The size limit of the decoded body; nil for no limit.
    let body: BodyLimit?
    /// Returns the error of a deadline that has passed; nil before the deadline.
    let exceeded: @Sendable () -> SockeyeError?

    init(decoding: DecodingLimits, body: BodyLimit?, exceeded: @escaping @Sendable () -> SockeyeError?) {
        self.decoding = decoding
        self.body = body
        self.exceeded = exceeded
    }
}
