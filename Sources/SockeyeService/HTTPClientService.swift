#if Service
public import ServiceLifecycle
public import Sockeye

/// A client as a service of swift-service-lifecycle, so that a group shuts it down behind those who use it.
///
/// ```swift
/// let client = HTTPClient()
/// try await ServiceGroup(services: [client.service(), server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
///
/// A group shuts its services down in the reverse order of their list, so the client stands before those that use it. A
/// client needs no service to work or to be freed: this is for programs that want requests under way to end in order.
public struct HTTPClientService: Service {
    private let client: HTTPClient
    private let gracePeriod: Duration

    /// Makes the service of a client, all its copies and scopes.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - gracePeriod: How long requests under way may go on after the shutdown began. Default 30 s, which a group's
    ///     `maximumGracefulShutdownDuration` shortens.
    public init(_ client: HTTPClient, gracePeriod: Duration = .seconds(30)) {
        self.client = client
        self.gracePeriod = gracePeriod
    }

    /// Waits for the graceful shutdown or for the cancellation of its task, and shuts the client down.
    ///
    /// From a graceful shutdown on, new requests fail with ``/Sockeye/SockeyeError/Code-swift.struct/shutDown``; those under way
    /// finish within their own deadlines and the grace period, and fail after that. A cancellation ends all of them at
    /// once. Returns when the connections are closed.
    public func run() async throws {
        // Throws where the task is cancelled, which is no failure of the service.
        try? await gracefulShutdown()
        await client.shutDown(graceful: !Task.isCancelled, within: gracePeriod)
    }
}

extension HTTPClient {
    /// The client as a service; see ``HTTPClientService``.
    public func service(gracePeriod: Duration = .seconds(30)) -> HTTPClientService {
        HTTPClientService(self, gracePeriod: gracePeriod)
    }
}
#endif
