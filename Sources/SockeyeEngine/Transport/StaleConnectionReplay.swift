/// The replay rule for requests that met a stale keep-alive connection (RFC 9112 9.3.1, RFC 9110 9.2.2). Pure.
///
/// A server may close an idle connection at any time, and a client notices only by using it. The end of a *reused*
/// connection without a byte of response therefore says nothing about the request. Repeating the request is right if
/// its body can still be sent and the repetition can do no harm: nothing of the request was sent, its method is
/// idempotent, or the caller vouches for it. On a fresh connection, such an end is the server's reaction to the
/// request, and is reported as an error.
struct StaleConnectionReplay {
    /// An upper bound, the same number as in curl. A replay leases a fresh connection, so that one replay is normally
    /// enough. If more connections in a row are dead, the cause is not that they were idle.
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
