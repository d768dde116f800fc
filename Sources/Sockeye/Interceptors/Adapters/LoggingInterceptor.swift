public import SockeyeEngine

/// Tells of every exchange; made by `.logging(to:)`.
public struct LoggingInterceptor: Interceptor {
    private let log: @Sendable (LoggingInterceptor.Exchange) -> Void

    init(_ log: @escaping @Sendable (LoggingInterceptor.Exchange) -> Void) {
        self.log = log
    }

    /// Around every request that goes to the wire.
    public var stage: InterceptorStage { .attempt }

    /// Sends the request, and tells what came of it.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        let start = call.elapsed
        let outcome = await call.outcome(of: request)
        log(LoggingInterceptor.Exchange(request, outcome, duration: call.elapsed - start))
        return try outcome.get()
    }
}

extension Interceptor where Self == LoggingInterceptor {
    /// Tells of every exchange, retries, redirects and answers to challenges included, when the head of its response or
    /// its error is there.
    ///
    /// ```swift
    /// client.adding(.logging { print($0) })     // GET https://example.com/users: 200 after 0.012 seconds
    /// ```
    public static func logging(to log: @escaping @Sendable (LoggingInterceptor.Exchange) -> Void) -> LoggingInterceptor
    {
        LoggingInterceptor(log)
    }
}
