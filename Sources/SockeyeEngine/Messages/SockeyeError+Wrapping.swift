import HTTPTypes

extension SockeyeError {
    /// The library's error for what code of the caller threw: a ``SockeyeError`` as it is, a cancellation as that.
    package init(_ code: Code, wrapping error: any Error, _ message: String, request: OutgoingRequest) {
        let identity = RequestIdentity(method: request.method.rawValue, url: request.url)
        self.init(code, wrapping: error, message, request: identity)
    }

    /// As for a request that is known by its identity alone.
    package init(_ code: Code, wrapping error: any Error, _ message: String, request: RequestIdentity) {
        if let error = error as? SockeyeError {
            self = error
            return
        }
        let isCancellation = error is CancellationError
        var fields = Fields(
            isCancellation ? .cancelled : code, phase: .send, blame: .caller,
            message: isCancellation ? "the task was cancelled" : message)
        fields.underlying = error
        fields.request = request
        self.init(fields)
    }
}
