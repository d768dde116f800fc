import SockeyeCore
public import SockeyeNet
import SockeyePlatform

/// Whether there is a route to the network, a host or an address, and what happens to that. The counterpart of
/// `AFNetworkReachabilityManager`.
///
/// ```swift
/// let reachability = NetworkReachability(host: "api.example.com")
/// for await status in reachability.changes { print(status) }      // the current one first
/// ```
///
/// The kernel is asked which route a destination takes, and again when it says that links, addresses, routes or rules have
/// changed (rtnetlink); nothing is polled and no packet is sent. So it tells that this machine knows a way, not that the other
/// end answers. It watches from when it is made until the last reference to it is gone, in the network namespace of the thread
/// that makes it. Where the system has no netlink the status stays ``Status/unknown``.
public final class NetworkReachability: Sendable {
    /// What kind of network a route leads into: of its interface, by the hardware type and sysfs.
    @nonexhaustive public enum Interface: String, Sendable, Hashable {
        /// This machine itself.
        case loopback
        /// A cable, or what looks like one, as the interfaces of containers do.
        case ethernet
        /// Wireless LAN; AFNetworking's `WiFi`.
        case wifi
        /// A modem; AFNetworking's `WWAN`.
        case cellular
        /// A tunnel, or anything else.
        case other
    }

    /// Whether it can be reached (`AFNetworkReachabilityStatus`).
    @nonexhaustive public enum Status: Sendable, Hashable, CustomStringConvertible {
        /// Nobody knows yet, or ever.
        case unknown
        /// There is no route, or its link is down; or the host's name is not known.
        case notReachable
        /// There is a route.
        case reachable(Interface)

        /// Whether there is a route.
        public var isReachable: Bool {
            if case .reachable = self { true } else { false }
        }

        /// English, as of `localizedNetworkReachabilityStatusString`; use the cases for other languages.
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

    /// Of the network in general, made when it is first asked for (`sharedManager`).
    public static let shared = NetworkReachability()

    private let broadcast: StatusBroadcast<Status>
    private let watch: Task<Void, Never>

    /// Watches whether there is a route to addresses anywhere (`manager`).
    ///
    /// - Parameter onChange: Called with each status that it changes to, also to the first, by the task that watches
    ///   (`setReachabilityStatusChangeBlock:`). For a monitor:
    ///   `{ monitor.handle(.reachabilityChanged($0)) }`.
    public convenience init(onChange: (@Sendable (Status) -> Void)? = nil) {
        self.init(.network, onChange)
    }

    /// Watches the way to a host (`managerForDomain:`). Its name is looked up anew when the network has changed.
    ///
    /// - Parameters:
    ///   - host: A name, or an address as text.
    ///   - resolver: Who looks it up; nil, the default, is the system.
    ///   - onChange: Called with each status that it changes to.
    public convenience init(
        host: String, resolver: (any NameResolver)? = nil, onChange: (@Sendable (Status) -> Void)? = nil
    ) {
        self.init(.host(host, resolver ?? SystemResolver.shared), onChange)
    }

    /// Watches the way to an address (`managerForAddress:`).
    public convenience init(address: EndpointAddress, onChange: (@Sendable (Status) -> Void)? = nil) {
        self.init(.address(address), onChange)
    }

    private init(_ target: ReachabilityTarget, _ onChange: (@Sendable (Status) -> Void)?) {
        let broadcast = StatusBroadcast(Status.unknown, onChange)
        self.broadcast = broadcast
        // Made here, and not by the task: it belongs to the namespace of this thread.
        guard let poller = try? EpollPoller.shared(), let routes = try? RouteMonitor(poller: poller) else {
            watch = Task {}
            return
        }
        watch = Task {
            await Self.watch(target, routes, poller, broadcast)
            routes.close()
        }
    }

    /// One that somebody else tells, for tests of what depends on it.
    package init(reporting status: Status, onChange: (@Sendable (Status) -> Void)? = nil) {
        broadcast = StatusBroadcast(.unknown, onChange)
        watch = Task {}
        broadcast.update(status)
    }

    /// Takes a status; only of one that was made for that.
    package func report(_ status: Status) { broadcast.update(status) }

    /// How many iterate ``changes``.
    package var readerCount: Int { broadcast.readerCount }

    deinit {
        watch.cancel()
        broadcast.end()
    }

    /// What is known at this moment.
    public var status: Status { broadcast.status }

    /// Whether there is a route at this moment; false as long as nobody knows.
    public var isReachable: Bool { status.isReachable }

    /// The status now, and each one that it changes to. The latest counts: who iterates slowly misses those in between. Ends with
    /// the reachability.
    public var changes: AsyncStream<Status> { broadcast.changes() }

    /// The pause between two answers: however often links change, this is how often the kernel, and a name server, is asked.
    private static let rest: Duration = .milliseconds(50)

    private static func watch(
        _ target: ReachabilityTarget, _ routes: RouteMonitor, _ poller: EpollPoller,
        _ broadcast: StatusBroadcast<Status>
    ) async {
        while !Task.isCancelled {
            let interface = await target.interface(by: routes)
            guard !Task.isCancelled else { return }
            broadcast.update(interface.map { .reachable(Interface($0)) } ?? .notReachable)
            do throws(TransportError) {
                // What changed meanwhile is there to be read, so that nothing is missed.
                try await routes.nextChange()
                try await poller.sleep(until: poller.time.now.advanced(by: rest))
            } catch {
                return
            }
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
