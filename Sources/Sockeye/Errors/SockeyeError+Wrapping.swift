extension SockeyeError {
    /// The library's error for what code of the caller threw: a ``SockeyeError`` as it is, a cancellation as that.
    package init(_ code: Code, wrapping error: any Error, _ message: String, request: Request) {
        if let error = error as? SockeyeError {
            self = error
            return
        }
        let isCancellation = error is CancellationError
        var fields = Fields(
            isCancellation ? .cancelled : code, phase: .send, blame: .caller,
            message: isCancellation ? "the task was cancelled" : message)
        fields.underlying = error
        fields.request = RequestIdentity(method: request.method.rawValue, url: request.url)
        self.init(fields)
    }
}
