/// Which addresses the client may connect to, asked with the very address that is about to be connected to.
///
/// For services that fetch URLs given by strangers: a check of the URL's host beforehand is not enough, because a name
/// may resolve to another address a moment later, and because a redirect may lead anywhere. This one is asked for every
/// connection of every hop, after the look-up.
///
/// Through a proxy it is asked about the proxy's address and not about the target's: it is the proxy that resolves the
/// target's name and connects to it, and only its own rules can keep it from where it should not go. Fetch what strangers
/// name without a proxy, `proxy = .none`, or through one that refuses by itself.
///
/// ```swift
/// let policy = AddressPolicy { $0.scope == .global || $0 == metrics }
/// ```
public struct AddressPolicy: Sendable {
    private let allows: (@Sendable (EndpointAddress) -> Bool)?
    /// What a policy of the library is called in archives.
    package let name: String?

    /// Allows every address. The default.
    public static let any = AddressPolicy(name: "any", allows: nil)

    /// Allows addresses of the public internet only: no loopback, no private or link-local network, no cloud's metadata
    /// service, no tunnel into one of these (``EndpointAddress/Scope-swift.enum``). Not the targets of a proxy, which nobody
    /// here resolves; see above.
    public static let publicOnly = AddressPolicy(name: "publicOnly") { $0.scope == .global }

    /// Makes a policy from a check, which is called on any thread and should not block.
    public init(_ allows: @escaping @Sendable (EndpointAddress) -> Bool) {
        self.init(name: nil, allows: allows)
    }

    private init(name: String?, allows: (@Sendable (EndpointAddress) -> Bool)?) {
        self.name = name
        self.allows = allows
    }

    /// Whether `address` may be connected to.
    public func allows(_ address: EndpointAddress) -> Bool {
        allows.map { $0(address) } ?? true
    }
}
