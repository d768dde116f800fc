#if !AsyncDNS
/// A resolver that queries name servers itself. Unavailable while the package's trait `AsyncDNS` is off, because c-ares
/// is not linked then.
@available(*, unavailable, message: "enable the package's trait AsyncDNS; it needs libc-ares-dev")
public struct DNSResolver: Sendable {
    /// Unavailable without the trait.
    public init() {}
}
#endif
