package import SockeyePlatform

/// The target of a reachability check: the network in general, a host name or an address.
package enum ReachabilityTarget: Sendable {
    case network
    case host(String, any NameResolver)
    case address(EndpointAddress)

    /// The IPv4 and IPv6 address of a root name server (IANA's root hints), to which usually only a default route
    /// leads. No packet is ever sent there.
    private static let probeAddresses = ["198.41.0.4", "2001:503:ba3e::2:30"]

    /// Returns the kind of interface through which the target is reached now; nil if there is no route.
    ///
    /// A name is resolved each time, since another network may give another answer. A name that does not resolve is
    /// unreachable.
    package func interface(by monitor: RouteMonitor) async -> InterfaceClass? {
        switch self {
        case .network:
            return Self.first(Self.probeAddresses.compactMap { EndpointAddress(literal: $0, port: 0) }, by: monitor)
        case .address(let address): return monitor.interface(to: address)
        case .host(let name, let resolver):
            guard let addresses = try? await resolver.resolve(name, port: 0) else { return nil }
            return Self.first(addresses, by: monitor)
        }
    }

    private static func first(_ addresses: [EndpointAddress], by monitor: RouteMonitor) -> InterfaceClass? {
        for address in addresses {
            if let interface = monitor.interface(to: address) { return interface }
        }
        return nil
    }
}
