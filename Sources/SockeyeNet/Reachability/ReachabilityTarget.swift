package import SockeyePlatform

/// The target of a reachability check: the network in general, a host name or an address.
package enum ReachabilityTarget: Sendable {
    case network
    case host(String, any NameResolver)
    case address(EndpointAddress)

    /// The result of a reachability check.
    package enum Route: Sendable, Hashable {
        /// A route through an interface of this kind.
        case through(InterfaceClass)
        /// No route, or a name that is invalid, does not exist or has no address.
        case missing
        /// The look-up of the name failed for a reason that may be temporary, such as a name server that does not
        /// answer. `hasNetwork` is true if a route to the network in general exists.
        case unresolved(hasNetwork: Bool)
    }

    /// The IPv4 and IPv6 address of a root name server (IANA's root hints), to which usually only a default route
    /// leads. No packet is ever sent there.
    private static let probeAddresses = ["198.41.0.4", "2001:503:ba3e::2:30"]

    /// Returns the current route to the target.
    ///
    /// A name is resolved each time, since another network may give another answer.
    package func route(by monitor: RouteMonitor) async -> Route {
        switch self {
        case .network: return Self.networkRoute(by: monitor)
        case .address(let address): return Self.route(to: [address], by: monitor)
        case .host(let name, let resolver):
            do {
                return Self.route(to: try await resolver.resolve(name, port: 0), by: monitor)
            } catch ResolveError.notFound, ResolveError.noData, ResolveError.invalidName {
                return .missing
            } catch {
                return .unresolved(hasNetwork: Self.networkRoute(by: monitor) != .missing)
            }
        }
    }

    private static func networkRoute(by monitor: RouteMonitor) -> Route {
        route(to: probeAddresses.compactMap { EndpointAddress(literal: $0, port: 0) }, by: monitor)
    }

    /// The route to the first reachable address.
    private static func route(to addresses: [EndpointAddress], by monitor: RouteMonitor) -> Route {
        for address in addresses {
            if let interface = monitor.interface(to: address) { return .through(interface) }
        }
        return .missing
    }
}
