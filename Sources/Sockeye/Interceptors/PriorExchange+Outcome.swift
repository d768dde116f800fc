import SockeyeEngine

extension PriorExchange {
    /// What came of a request.
    init(
        _ request: Request, _ outcome: Result<Response, SockeyeError>, reason: Reason, start: Duration,
        duration: Duration
    ) {
        let (response, error): (Response?, SockeyeError?) =
            switch outcome {
            case .success(let response): (response, nil)
            case .failure(let error): (nil, error)
            }
        self.init(
            reason: reason, method: request.method, url: request.url.removingUserInfo, status: response?.status,
            headers: response?.headers, error: error, start: start, duration: duration)
    }
}
