public import HTTPTypes
public import SockeyeEngine

extension RetryPolicy {
    /// A failed attempt, as passed to ``RetryPolicy/decide`` and ``RetryPolicy/onRetry``.
    public struct Proposal: Sendable {
        /// The request that failed.
        public let request: OutgoingRequest
        /// The status of the response; nil if there was no response.
        public let status: HTTPResponse.Status?
        /// The fields of the response; nil if there was no response.
        public let headers: Headers?
        /// The error; nil if there was a response.
        public let error: SockeyeError?
        /// The number of earlier retries of the request.
        public let count: Int
        /// The pause before the retry that the policy would make; nil if the policy would not retry.
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

        /// The policy's own decision.
        public var usual: RetryPolicy.Decision {
            if let pause { .retry(after: pause) } else { .stop }
        }
    }
}

extension RetryPolicy.Proposal: CustomStringConvertible, CustomReflectable {
    /// For example `GET https://example.com/a: 503, retry 1 after 0.5 seconds`. Header fields are omitted, since they
    /// may hold secrets.
    public var description: String {
        let result = status.map { String($0.code) } ?? error?.code.description ?? "nothing"
        let next = pause.map { "retry \(count + 1) after \($0)" } ?? "no retry"
        return "\(request.method) \(request.url.masked): \(result), \(next)"
    }

    /// Only the description, so that dumps show no field values either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RetryPolicy {
    /// The decision about a failed attempt.
    @nonexhaustive public enum Decision: Sendable, Hashable {
        /// Repeats the request after this pause, if the deadline, the budget and the circuit breaker allow it.
        case retry(after: Duration)
        /// Ends the call with the response or the error.
        case stop
    }
}
