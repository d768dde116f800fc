package import SockeyePlatform

/// What is or is not to be reached: the network in general, a host by its name, or an address.
package enum ReachabilityTarget: Sendable {
    case network
    case host(String, any NameResolver)
    case address(EndpointAddress)

    /// One root name server in both families (IANA's root hints): addresses that only a route to everywhere leads to. Nothing is
    /// ever sent there.
    private static let elsewhere = ["198.41.0.4", "2001:503:ba3e::2:30"]

    /// The kind of interface by which it is reached at this moment; nil where there is no way.
    ///
    /// A name is looked up each time, as another network may know another answer. A name that nobody knows cannot be reached.
    package func interface(by monitor: RouteMonitor) async -> InterfaceClass? {
        switch self {
        case .network:
            return Self.first(Self.elsewhere.compactMap { EndpointAddress(literal: $0, port: 0) }, by: monitor)
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
