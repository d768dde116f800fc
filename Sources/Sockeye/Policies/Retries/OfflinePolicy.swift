import SockeyeCore
public import SockeyeEngine

/// Waits with a request while there is no route, and sends it again when it failed for want of one. What AFNetworking's users
/// build on its reachability manager, and the counterpart of Alamofire's `OfflineRetrier`.
///
/// ```swift
/// let client = HTTPClient().adding(.waitingForNetwork(atMost: .seconds(30)))
/// ```
///
/// It stands around each request that goes to the wire. Only what never reached a server is sent again: the name was not
/// resolved, or no connection was made, while there was no route; and only if its body can be repeated. A server that
/// refuses connections is not waited for: that is ``RetryPolicy``'s business.
public struct OfflinePolicy: Interceptor {
    /// What tells whether there is a route. Default ``NetworkReachability/shared``.
    public var reachability: NetworkReachability
    /// How long one request may wait in all. Default 60 s; ``Timeouts/total`` may end it earlier, with its own error.
    public var limit: Duration

    /// Makes a policy.
    public init(_ reachability: NetworkReachability = .shared, atMost limit: Duration = .seconds(60)) {
        self.reachability = reachability
        self.limit = limit
    }

    /// Around each request that goes to the wire.
    public var stage: Call.Stage { .attempt }

    /// Waits for a route if there is none, and sends the request; again after a failure without a route.
    ///
    /// - Throws: The error of the last attempt when the time is up, ``SockeyeError/Code-swift.struct/cancelled`` as soon as the
    ///   task is cancelled.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        let end = call.elapsed.addingSaturated(limit)
        if reachability.status == .notReachable {
            // Whatever comes of it: the network has the last word.
            _ = try await waitForRoute(until: end, in: call)
        }
        while true {
            do throws(SockeyeError) {
                return try await call.proceed(request)
            } catch {
                guard error.isForWantOfRoute, request.body.canBeSent, reachability.status == .notReachable,
                    try await waitForRoute(until: end, in: call)
                else { throw error }
                call.record(request, .failure(error), reason: .retried)
            }
        }
    }

    /// Waits until there is a route, or nobody can tell; false when the time is up before.
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
                do throws(SockeyeError) { try await call.sleep(for: left) } catch { return .failure(error) }
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
    /// Waits with requests while there is no route; see ``OfflinePolicy``.
    public static func waitingForNetwork(
        _ reachability: NetworkReachability = .shared, atMost limit: Duration = .seconds(60)
    ) -> Self {
        OfflinePolicy(reachability, atMost: limit)
    }
}

extension SockeyeError {
    /// Whether no server was met, so that the lack of a route may be why.
    fileprivate var isForWantOfRoute: Bool {
        switch code {
        case .resolutionFailed, .connectFailed: true
        case .timeout: phase == .resolve || phase == .connect
        default: false
        }
    }
}
