import SockeyeEngine

extension PriorExchange {
    /// What came of a request.
    init(
        _ request: OutgoingRequest, _ outcome: Result<IncomingResponse, SockeyeError>, reason: Reason, start: Duration,
        duration: Duration
    ) {
        let (response, error): (IncomingResponse?, SockeyeError?) =
            switch outcome {
            case .success(let response): (response, nil)
            case .failure(let error): (nil, error)
            }
        self.init(
            reason: reason, method: request.method, url: request.url.removingUserInfo, status: response?.status,
            headers: response?.headers, error: error, start: start, duration: duration)
    }
}
