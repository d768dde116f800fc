import SockeyeCore
public import SockeyeNet
import SockeyePlatform

/// Reports whether a route to the network, a host or an address exists, and when that changes. The counterpart of
/// `AFNetworkReachabilityManager`, whose names are given in parentheses.
///
/// ```swift
/// let reachability = NetworkReachability(host: "api.example.com")
/// // the current status first
/// for await status in reachability.changes { print(status) }
/// ```
///
/// A reachability asks the kernel for the route to a destination, and asks again when the kernel reports a change of
/// links, addresses, routes or rules. It sends no packets except to look up a host's name. So the status says that this
/// machine has a route, not that the peer answers.
///
/// A reachability watches from its creation until its last reference is released, in the network namespace of the
/// thread that creates it. On a system that reports no routes to programs (<doc:Platforms>) the status stays
/// ``Status/unknown``.
public final class NetworkReachability: Sendable {
    /// The kind of network behind a route, by the hardware type and the properties of its interface.
    @nonexhaustive public enum Interface: String, Sendable, Hashable {
        /// This machine itself.
        case loopback
        /// Ethernet, or an interface that looks like it, such as those of containers.
        case ethernet
        /// Wireless LAN; AFNetworking's `WiFi`.
        case wifi
        /// A modem; AFNetworking's `WWAN`.
        case cellular
        /// A tunnel, or any other interface.
        case other
    }

    /// The reachability of the network, a host or an address (`AFNetworkReachabilityStatus`).
    @nonexhaustive public enum Status: Sendable, Hashable, CustomStringConvertible {
        /// Not known yet, or not available on this system.
        case unknown
        /// There is no route, the link of the route's interface is down, or the host's name does not exist or has no
        /// address.
        case notReachable
        /// A route exists through an interface of this kind.
        case reachable(Interface)

        /// True if a route exists.
        public var isReachable: Bool {
            if case .reachable = self { true } else { false }
        }

        /// An English text, like `localizedNetworkReachabilityStatusString`. For other languages use the cases.
        public var description: String {
            switch self {
            case .unknown: "Unknown"
            case .notReachable: "Not Reachable"
            case .reachable(.wifi): "Reachable via WiFi"
            case .reachable(.cellular): "Reachable via WWAN"
            case .reachable(let interface): "Reachable via \(interface)"
            }
        }
    }

    /// The reachability of the network in general, created on first use (`sharedManager`).
    public static let shared = NetworkReachability()

    private let broadcast: StatusBroadcast<Status>
    private let watch: Task<Void, Never>

    /// Watches the network in general: whether a route to the Internet exists, usually the default route (`manager`).
    ///
    /// - Parameter onChange: Called with each new status, including the first known one, on the watching task
    ///   (`setReachabilityStatusChangeBlock:`). To pass each status to an ``EventMonitor``:
    ///   `{ monitor.handle(.reachabilityChanged($0)) }`.
    public convenience init(onChange: (@Sendable (Status) -> Void)? = nil) {
        self.init(.network, onChange)
    }

    /// Watches the route to a host (`managerForDomain:`). Its name is resolved again after each change of the network.
    ///
    /// If the look-up fails for a reason that may pass, such as a name server that does not answer, it is repeated
    /// after pauses of 0.5 s to 30 s. Until it succeeds, the host counts as not reachable if there is no route to the
    /// network in general. If there is such a route, a host that was reachable before stays reachable; any other host
    /// gets the status ``Status/unknown``.
    ///
    /// - Parameters:
    ///   - host: A name, or an address as text.
    ///   - resolver: The resolver for the name. Default: nil, the system's.
    ///   - onChange: Called with each new status.
    public convenience init(
        host: String, resolver: (any NameResolver)? = nil, onChange: (@Sendable (Status) -> Void)? = nil
    ) {
        self.init(.host(host, resolver ?? SystemResolver.shared), onChange)
    }

    /// Watches the route to an address (`managerForAddress:`).
    public convenience init(address: EndpointAddress, onChange: (@Sendable (Status) -> Void)? = nil) {
        self.init(.address(address), onChange)
    }

    private init(_ target: ReachabilityTarget, _ onChange: (@Sendable (Status) -> Void)?) {
        let broadcast = StatusBroadcast(Status.unknown, onChange)
        self.broadcast = broadcast
        // The route monitor is created here and not in the task, because it must belong to this thread's namespace.
        guard let poller = try? EventPoller.shared(), let routes = try? RouteMonitor(poller: poller) else {
            watch = Task {}
            return
        }
        watch = Task {
            await Self.watch(target, routes, poller, broadcast)
            routes.close()
        }
    }

    /// Creates a reachability without a watch, for tests. Its status changes by ``report(_:)``.
    package init(reporting status: Status, onChange: (@Sendable (Status) -> Void)? = nil) {
        broadcast = StatusBroadcast(.unknown, onChange)
        watch = Task {}
        broadcast.update(status)
    }

    /// Sets the status of a reachability created for tests.
    package func report(_ status: Status) { broadcast.update(status) }

    /// The number of iterators of ``changes``.
    package var readerCount: Int { broadcast.readerCount }

    deinit {
        watch.cancel()
        broadcast.end()
    }

    /// The current status.
    public var status: Status { broadcast.status }

    /// True if a route exists at this moment; false also if that is unknown.
    public var isReachable: Bool { status.isReachable }

    /// The current status and each later one. Only the newest status is buffered, so a slow reader misses earlier ones.
    /// Ends when the reachability is released.
    public var changes: AsyncStream<Status> { broadcast.changes() }

    /// The minimum time between two checks of the route, however often links change.
    private static let rest: Duration = .milliseconds(50)
    /// The pause after the first failed look-up of the host's name. Each further failure doubles the pause.
    private static let firstPause: Duration = .milliseconds(500)
    private static let longestPause: Duration = .seconds(30)

    private static func watch(
        _ target: ReachabilityTarget, _ routes: RouteMonitor, _ poller: EventPoller,
        _ broadcast: StatusBroadcast<Status>
    ) async {
        var pause = firstPause
        while !Task.isCancelled {
            let route = await target.route(by: routes)
            guard !Task.isCancelled else { return }
            broadcast.update(Status(route, after: broadcast.status))
            var repetition = MonotonicTime.distantFuture
            if case .unresolved = route {
                repetition = poller.time.now.advanced(by: pause)
                pause = min(pause * 2, longestPause)
            }
            do throws(TransportError) {
                try await routes.nextChange(until: repetition)
                pause = firstPause
                // `nextChange` later reports any change that happens during this sleep, so no change is missed.
                try await poller.sleep(until: poller.time.now.advanced(by: rest))
            } catch {
                guard error == .timedOut else { return }
            }
        }
    }
}

extension NetworkReachability.Status {
    /// The status of a route, given the status before.
    fileprivate init(_ route: ReachabilityTarget.Route, after last: Self) {
        self =
            switch route {
            case .through(let interface): .reachable(NetworkReachability.Interface(interface))
            case .missing, .unresolved(hasNetwork: false): .notReachable
            case .unresolved(hasNetwork: true): last.isReachable ? last : .unknown
            }
    }
}

extension NetworkReachability.Interface {
    fileprivate init(_ interface: InterfaceClass) {
        switch interface {
        case .loopback: self = .loopback
        case .ethernet: self = .ethernet
        case .wifi: self = .wifi
        case .cellular: self = .cellular
        case .other: self = .other
        }
    }
}
