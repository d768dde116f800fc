/// The replay rule for requests that met a stale keep-alive connection (RFC 9112 9.3.1, RFC 9110 9.2.2).
///
/// A server may close an idle connection at any time, and a client notices only by using it. The end of a *reused*
/// connection without a byte of response therefore says nothing about the request. The request is repeated if its body
/// can still be sent and the repetition can do no harm. It can do no harm if nothing of the request was sent, or if the
/// request is idempotent by the caller's declaration, an Idempotency-Key field or its method. On a fresh connection,
/// such an end is the server's reaction to the request, and is reported as an error.
struct StaleConnectionReplay {
    /// The maximum number of replays, as in curl. This is only a safeguard: each replay uses a fresh connection, and
    /// the loss of a fresh connection allows no replay.
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
