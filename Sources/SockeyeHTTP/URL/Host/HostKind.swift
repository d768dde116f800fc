/// What the host of a URL is.
public enum HostKind: Sendable, Hashable {
    /// A domain name, to be resolved.
    case name
    /// An IPv4 address.
    case ipv4
    /// An IPv6 address.
    case ipv6
}
