import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP

/// Delays requests while this machine has no network route, and repeats requests that failed for lack of a route.
///
/// The counterpart of Alamofire's `OfflineRetrier`. With AFNetworking, applications build such a policy on the
/// reachability manager.
///
/// ```swift
/// let client = HTTPClient().adding(.waitingForNetwork(atMost: .seconds(30)))
/// ```
///
/// A request is repeated only if it failed before a connection was made, there is no route, and its body can be sent
/// again. The policy does not wait for a server that refuses connections; that is ``RetryPolicy``'s task. Requests to
/// this machine (loopback hosts and unix-domain sockets) do not wait. Without a default route,
/// ``NetworkReachability/shared`` reports no route even to servers of the local network. For requests to such a server,
/// set ``reachability`` to the reachability of that server.
public struct OfflinePolicy: Interceptor {
    /// The source of the network status. Default ``NetworkReachability/shared``.
    public var reachability: NetworkReachability
    /// The maximum time from the start of a request until the policy stops waiting for a route. Default 60 s. The
    /// policy's own repetitions do not restart this time. Redirects, and repetitions by other policies such as
    /// ``RetryPolicy``, restart it. ``Timeouts/total`` may end the wait earlier, with its own error.
    public var limit: Duration

    /// Creates a policy.
    public init(_ reachability: NetworkReachability = .shared, atMost limit: Duration = .seconds(60)) {
        self.reachability = reachability
        self.limit = limit
    }

    /// The stage around each request that is sent to a server.
    public var stage: Call.Stage { .attempt }

    /// Waits until there is a route or the time is up, then sends the request. If the request fails for lack of a
    /// route, waits again, and repeats it when there is a route.
    ///
    /// - Throws: The error of the last attempt when the time is up, and ``SockeyeError/Code-swift.struct/cancelled``
    ///   as soon as the task is cancelled.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        // Requests to this machine need no route.
        if request.parts.url.isLoopback || request.options.unixSocketPath != nil {
            return try await call.proceed(request)
        }
        let end = call.elapsed.addingSaturated(limit)
        if reachability.status == .notReachable {
            // The request is sent even if there is still no route: the status may be wrong.
            _ = try await waitForRoute(until: end, in: call)
        }
        while true {
            do throws(SockeyeError) {
                return try await call.proceed(request)
            } catch {
                guard error.reachedNoServer, request.body.canBeSent, reachability.status == .notReachable,
                    try await waitForRoute(until: end, in: call)
                else { throw error }
                call.record(request, .failure(error), reason: .retried)
            }
        }
    }

    /// Waits until there is a route or the status is unknown; returns false if the time is up first.
    private func waitForRoute(until end: Duration, in call: Call) async throws(SockeyeError) -> Bool {
        let left = end.subtractingSaturated(call.elapsed)
        guard left > .zero else { return false }
        let changes = reachability.changes
        let result = await withTaskGroup(of: Result<Bool, SockeyeError>.self) { group in
            group.addTask {
                for await status in changes where status != .notReachable { return .success(true) }
                return .success(!Task.isCancelled)
            }
            group.addTask {
                do throws(SockeyeError) {
                    try await call.shared.sleep(atMost: left)
                } catch {
                    return .failure(error)
                }
                return .success(false)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .success(false)
        }
        if Task.isCancelled { throw SockeyeError(.cancelled, phase: .connect) }
        return try result.get()
    }
}

extension Interceptor where Self == OfflinePolicy {
    /// Delays requests while this machine has no network route; see ``OfflinePolicy``.
    public static func waitingForNetwork(
        _ reachability: NetworkReachability = .shared, atMost limit: Duration = .seconds(60)
    ) -> Self {
        OfflinePolicy(reachability, atMost: limit)
    }
}

extension SockeyeError {
    /// True if no server was reached, so that the lack of a route may be the reason.
    fileprivate var reachedNoServer: Bool {
        switch code {
        case .resolutionFailed, .connectFailed: true
        case .timeout: phase == .resolve || phase == .connect
        default: false
        }
    }
}
