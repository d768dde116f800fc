public import HTTPTypes
public import SockeyeHTTP

/// An exchange that did not decide the outcome of its call: a redirect, a retried attempt, an answered challenge, or a
/// request after which the cache served a stored response.
public struct PriorExchange: Sendable {
    /// The reason why an exchange did not decide the outcome of its call.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The name of the reason, for metrics and logs.
        public let description: String

        /// Creates a reason for an interceptor of your own.
        public init(_ description: String) {
            self.description = description
        }

        /// The response named another URL.
        public static let redirected = Reason("redirected")
        /// The exchange failed, or its status asks for another try.
        public static let retried = Reason("retried")
        /// The response asked for credentials.
        public static let challenged = Reason("challenged")
    }

    /// The reason why this exchange did not decide the outcome of its call.
    public let reason: Reason
    /// The method of the request.
    public let method: HTTPRequest.Method
    /// The URL of the request. Its description has no user information.
    public let url: HTTPURL
    /// The status of the response; nil if there was no response.
    public let status: HTTPResponse.Status?
    /// The fields of the response; nil if there was no response.
    public let headers: Headers?
    /// The error if there was no response; nil if there was one.
    public let error: SockeyeError?
    /// The start of the exchange, measured from the start of the call.
    public let start: Duration
    /// The time from the start of the exchange to the head of the response, or to the error.
    public let duration: Duration
    /// The ``IncomingResponse/cacheOutcome`` of the response; nil without a cache or a response.
    public let cacheOutcome: CacheOutcome?

    package init(
        reason: Reason, method: HTTPRequest.Method, url: HTTPURL, status: HTTPResponse.Status?, headers: Headers?,
        error: SockeyeError?, start: Duration, duration: Duration, cacheOutcome: CacheOutcome? = nil
    ) {
        self.reason = reason
        self.method = method
        self.url = url
        self.status = status
        self.headers = headers
        self.error = error
        self.start = start
        self.duration = duration
        self.cacheOutcome = cacheOutcome
    }
}

extension PriorExchange: CustomStringConvertible, CustomReflectable {
    /// The description alone, so that dumps show no field values.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    /// For example `GET https://example.com/a: 302, redirected`. Fields are omitted because they may contain secrets.
    public var description: String {
        let result = status.map { String($0.code) } ?? error?.code.description ?? "nothing"
        return "\(method) \(url.masked): \(result), \(reason)"
    }
}
