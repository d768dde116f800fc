import HTTPTypes

/// The component that sends a client's requests. ``SocketTransport`` sends them over sockets. Other transports are your
/// own types, or the test kit's `MockTransport`.
///
/// A transport that wraps ``SocketTransport`` returns it in ``sockets``:
///
/// ```swift
/// struct Allowing: HTTPTransport {
///     let hosts: Set<String>
///     var base = SocketTransport()
///     var sockets: SocketTransport? { base }
///
///     func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
///         guard hosts.contains(request.url.host) else { throw Refusal() }
///         return try await base.send(request)
///     }
/// }
/// let client = HTTPClient(transport: Allowing(hosts: ["api.example.com"]))
/// ```
///
/// A minor version may add requirements, with default implementations that call ``send(_:)``; see <doc:Stability>.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns the response. The request is complete: the URL is absolute, the client's default
    /// fields and options are filled in.
    ///
    /// - Throws: A ``SockeyeError`` reaches the caller as it is, and a `CancellationError` becomes
    ///   ``SockeyeError/Code-swift.struct/cancelled``. Any other error becomes the ``SockeyeError/underlying`` of a
    ///   ``SockeyeError`` with the code ``SockeyeError/Code-swift.struct/connectFailed``.
    func send(_ request: OutgoingRequest) async throws -> IncomingResponse

    /// The built-in transport to which this transport passes requests. Default nil.
    ///
    /// If it is not nil, a client over this transport has the pool, executor, clock, deadlines, limits and proxies of
    /// the built-in transport. ``HTTPClient/shutDown(graceful:within:)`` then shuts the built-in transport down.
    var sockets: SocketTransport? { get }
}

extension HTTPTransport {
    /// The default: no built-in transport is used.
    public var sockets: SocketTransport? { nil }

    /// Returns the response or throws the library's error.
    package func answer(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        do {
            return try await send(request)
        } catch {
            throw SockeyeError(.connectFailed, wrapping: error, "the client's transport failed", request: request)
        }
    }
}

extension SockeyeError {
    /// Wraps an error thrown by the caller's code. A ``SockeyeError`` stays as it is, and a `CancellationError` gets
    /// the code ``Code-swift.struct/cancelled``.
    package init(_ code: Code, wrapping error: any Error, _ message: String, request: OutgoingRequest) {
        let identity = RequestIdentity(method: request.method.rawValue, url: request.url)
        self.init(code, wrapping: error, message, request: identity)
    }

    /// Wraps an error as the initializer above does. `request` holds the method and URL of the request. If `request` is
    /// nil, the code that sends the request adds the method and URL to the error.
    package init(
        _ code: Code, wrapping error: any Error, _ message: String, request: RequestIdentity? = nil,
        phase: Phase = .send
    ) {
        if let error = error as? SockeyeError {
            self = error
            return
        }
        let isCancellation = error is CancellationError
        var fields = Fields(
            isCancellation ? .cancelled : code, phase: phase, blame: .caller,
            message: isCancellation ? "the task was cancelled" : message)
        fields.underlying = error
        fields.request = request
        self.init(fields)
    }
}
