public import HTTPTypes
public import SockeyeEngine

/// Logs every exchange; made by `.logging(to:)`.
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

extension LoggingInterceptor {
    /// A log record of an exchange. It holds no field values, no content, and of the URL neither user information nor
    /// query, which may be secret.
    public struct Exchange: Sendable {
        /// The method.
        public let method: HTTPRequest.Method
        /// Scheme, host, port and path of the URL.
        public let url: String
        /// The status of the response; nil when there was none.
        public let status: HTTPResponse.Status?
        /// Why there was no response; nil when there was one.
        public let errorCode: SockeyeError.Code?
        /// In which phase it failed; nil when there was a response.
        public let errorPhase: SockeyeError.Phase?
        /// How long it took until the head of the response, or the error, was there.
        public let duration: Duration
        /// The number of bytes of the request's body, as announced; nil where it is not known beforehand.
        public let requestBytes: Int?
        /// The number of bytes of the response's body, as announced; nil where it is not known beforehand, and without a
        /// response.
        public let responseBytes: Int?

        init(_ request: OutgoingRequest, _ outcome: Result<IncomingResponse, SockeyeError>, duration: Duration) {
            method = request.method
            url = "\(request.url.origin)\(request.url.path)"
            self.duration = duration
            requestBytes = request.body.length
            switch outcome {
            case .success(let response):
                status = response.status
                responseBytes = response.body.expectedLength
                (errorCode, errorPhase) = (nil, nil)
            case .failure(let error):
                (status, responseBytes) = (nil, nil)
                errorCode = error.code
                errorPhase = error.phase
            }
        }
    }
}

extension LoggingInterceptor.Exchange: CustomStringConvertible {
    /// For example `GET https://example.com/users: 200 after 0.012 seconds`.
    public var description: String {
        let failure = errorCode.map { code in "\(code)" + (errorPhase.map { " in \($0)" } ?? "") }
        return "\(method) \(url): \(status.map { "\($0.code)" } ?? failure ?? "nothing") after \(duration)"
    }
}
