public import HTTPTypes
public import SockeyeHTTP

/// An exchange of a call whose outcome was not the call's: a redirect, an attempt that was repeated, a challenge that was
/// answered.
public struct PriorExchange: Sendable {
    /// Why it was not the last one.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The name of the reason, for metrics and logs.
        public let description: String

        /// A reason of an interceptor of your own.
        public init(_ description: String) {
            self.description = description
        }

        /// The response named another URL.
        public static let redirected = Reason("redirected")
        /// The exchange failed, or its status said to come again.
        public static let retried = Reason("retried")
        /// The response asked for credentials.
        public static let challenged = Reason("challenged")
    }

    /// Why it was not the last one.
    public let reason: Reason
    /// The method of its request.
    public let method: HTTPRequest.Method
    /// The URL of its request. Its description has no user information.
    public let url: HTTPURL
    /// The status of the response; nil when there was none.
    public let status: HTTPResponse.Status?
    /// The fields of the response; nil when there was none.
    public let headers: Headers?
    /// Why there was no response; nil when there was one.
    public let error: SockeyeError?
    /// When it began, from the start of the call.
    public let start: Duration
    /// How long it took until the head of the response, or the error, was there.
    public let duration: Duration
    /// What the client's cache did for it; nil without one. A redirect may come from the store, too.
    public let cacheOutcome: CachedResponse.Outcome?

    package init(
        reason: Reason, method: HTTPRequest.Method, url: HTTPURL, status: HTTPResponse.Status?, headers: Headers?,
        error: SockeyeError?, start: Duration, duration: Duration, cacheOutcome: CachedResponse.Outcome? = nil
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
    /// The description alone, so that dumps show no values of fields either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    /// For example `GET https://example.com/a: 302, redirected`. No fields, since they may hold secrets.
    public var description: String {
        let result = status.map { String($0.code) } ?? error?.code.description ?? "nothing"
        return "\(method) \(url.masked): \(result), \(reason)"
    }
}
