import Sockeye

/// Notes the time at which each call begins, for `--retry-max-time`.
struct CallStart: Interceptor {
    private enum Key: OutgoingRequest.ContextKey { typealias Value = ContinuousClock.Instant }

    func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        var request = request
        request.options.context[Key.self] = ContinuousClock.now
        return try await call.proceed(request)
    }

    /// Returns the time since the call of a request began.
    static func elapsed(of request: OutgoingRequest) -> Duration {
        request.options.context[Key.self].map { ContinuousClock.now - $0 } ?? .zero
    }
}
