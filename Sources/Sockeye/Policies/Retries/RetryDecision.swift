extension RetryPolicy {
    /// What becomes of a failed attempt.
    public enum Decision: Sendable, Hashable {
        /// The request is sent again after this pause, if deadline, budget and circuit breaker allow it.
        case retry(after: Duration)
        /// The call ends with what there is: the response, or the error.
        case stop
    }
}
