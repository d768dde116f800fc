#if Service
public import ServiceLifecycle
public import Sockeye

/// A client as a service of swift-service-lifecycle.
///
/// ```swift
/// let client = HTTPClient()
/// let services: [any Service] = [client.service(), server]
/// try await ServiceGroup(
///     services: services, gracefulShutdownSignals: [.sigterm], logger: logger
/// ).run()
/// ```
///
/// A group shuts its services down in the reverse order of their list, so list the client before the services that use
/// it. A client also works without a service. Use the service for programs in which running requests should end
/// cleanly.
public struct HTTPClientService: Service {
    private let client: HTTPClient
    private let gracePeriod: Duration

    /// Creates a service that shuts down a client together with its copies and scopes (clients made from it with
    /// `scoped`).
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - gracePeriod: The longest time that running requests may continue after the shutdown began. Default 30 s. The
    ///     group ends this period earlier if its `maximumGracefulShutdownDuration` is shorter.
    public init(_ client: HTTPClient, gracePeriod: Duration = .seconds(30)) {
        self.client = client
        self.gracePeriod = gracePeriod
    }

    /// Waits for the graceful shutdown or the cancellation of its task, then shuts the client down.
    ///
    /// Once a graceful shutdown begins, new requests fail with ``/Sockeye/SockeyeError/Code-swift.struct/shutDown``.
    /// Running requests may continue until the end of the grace period, within their own deadlines. Requests that are
    /// not finished by then fail. A cancellation ends all requests at once. Returns when all connections are closed.
    ///
    /// The client cannot shut down a custom transport that does not pass its requests to the built-in one
    /// (its `HTTPTransport.sockets` is nil). With such a transport, this method ends only the client's background work,
    /// such as refreshing stored responses. New requests are still sent, and running requests continue.
    public func run() async throws {
        // The call throws if the task is cancelled, and a cancellation is not a failure of the service.
        try? await gracefulShutdown()
        await client.shutDown(graceful: !Task.isCancelled, within: gracePeriod)
    }
}

extension HTTPClient {
    /// Returns the client as a service; see ``HTTPClientService``.
    public func service(gracePeriod: Duration = .seconds(30)) -> HTTPClientService {
        HTTPClientService(self, gracePeriod: gracePeriod)
    }
}
#endif
