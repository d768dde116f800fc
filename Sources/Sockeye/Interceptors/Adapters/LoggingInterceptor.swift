public import SockeyeEngine

/// Tells of every exchange; made by `.logging(to:)`.
public struct LoggingInterceptor: Interceptor {
    private let log: @Sendable (ExchangeSummary) -> Void

    init(_ log: @escaping @Sendable (ExchangeSummary) -> Void) {
        self.log = log
    }

    /// Around every request that goes to the wire.
    public var stage: InterceptorStage { .attempt }

    /// Sends the request, and tells what came of it.
    public func intercept(_ request: Request, in call: Call) async throws -> Response {
        let start = call.elapsed
        let outcome = await call.outcome(of: request)
        log(ExchangeSummary(request, outcome, duration: call.elapsed - start))
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
    public static func logging(to log: @escaping @Sendable (ExchangeSummary) -> Void) -> LoggingInterceptor {
        LoggingInterceptor(log)
    }
}
