public import HTTPTypes
public import SockeyeEngine

extension RetryPolicy {
    /// A failed attempt that ``RetryPolicy/decide`` is asked about, or that ``RetryPolicy/onRetry`` is told of.
    public struct Proposal: Sendable {
        /// The request, as it would be sent again.
        public let request: OutgoingRequest
        /// The status of the response; nil when there was none.
        public let status: HTTPResponse.Status?
        /// The fields of the response; nil when there was none.
        public let headers: Headers?
        /// Why there was no response; nil when there was one.
        public let error: SockeyeError?
        /// How many retries of the request were made before.
        public let count: Int
        /// How long the policy would wait before the retry; nil when there would be none.
        public let pause: Duration?

        init(
            _ request: OutgoingRequest, _ outcome: Result<IncomingResponse, SockeyeError>, count: Int, pause: Duration?
        ) {
            self.request = request
            self.count = count
            self.pause = pause
            switch outcome {
            case .success(let response):
                status = response.status
                headers = response.headers
                error = nil
            case .failure(let failure):
                (status, headers) = (nil, nil)
                error = failure
            }
        }

        /// What the policy would do by itself.
        public var usual: RetryPolicy.Decision {
            if let pause { .retry(after: pause) } else { .stop }
        }
    }
}

extension RetryPolicy.Proposal: CustomStringConvertible, CustomReflectable {
    /// For example `GET https://example.com/a: 503, retry 1 after 0.5 seconds`. No fields, since they may hold secrets.
    public var description: String {
        let result = status.map { String($0.code) } ?? error?.code.description ?? "nothing"
        let next = pause.map { "retry \(count + 1) after \($0)" } ?? "no retry"
        return "\(request.method) \(request.url.masked): \(result), \(next)"
    }

    /// The description alone, so that dumps show no values either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RetryPolicy {
    /// What becomes of a failed attempt.
    @nonexhaustive public enum Decision: Sendable, Hashable {
        /// The request is sent again after this pause, if deadline, budget and circuit breaker allow it.
        case retry(after: Duration)
        /// The call ends with what there is: the response, or the error.
        case stop
    }
}
