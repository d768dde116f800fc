/// What a client sends its requests through: sockets, or something of your own, such as the test kit's `MockTransport`.
public protocol HTTPTransport: Sendable {
    /// Answers a request. It arrives complete: the URL absolute, the client's default fields and options filled in.
    ///
    /// - Throws: A ``SockeyeError`` reaches the caller as it is; any other error becomes the
    ///   ``SockeyeError/underlying`` of one with the code ``SockeyeError/Code-swift.struct/connectFailed``.
    func send(_ request: OutgoingRequest) async throws -> IncomingResponse
}

extension HTTPTransport {
    /// The answer, or the library's error.
    package func answer(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        do {
            return try await send(request)
        } catch {
            throw SockeyeError(.connectFailed, wrapping: error, "the client's transport failed", request: request)
        }
    }
}
