/// The replay rule for requests that met a stale keep-alive connection (RFC 9112 9.3.1, RFC 9110 9.2.2). Pure.
///
/// A server closes idle connections when it likes, and a client can find out only by using one. So a *reused*
/// connection that ends without a byte of response says nothing about the request, and repeating it is right where it
/// cannot do harm: nothing of it was sent, or its method is idempotent, or the caller vouches for it. On a fresh
/// connection the same end is the server's answer, and is reported.
struct StaleConnectionReplay {
    /// As curl: more than this many dead connections in a row are not bad luck.
    static let maximumReplays = 5

    static func mayReplay(_ request: OutgoingRequest, after failure: ExchangeFailure, isReused: Bool, replays: Int)
        -> Bool
    {
        guard isReused, failure.isConnectionLoss, failure.isBeforeResponse, replays < maximumReplays,
            request.body.canBeSent
        else { return false }
        return failure.isUnsent || request.parts.isIdempotent
    }
}
