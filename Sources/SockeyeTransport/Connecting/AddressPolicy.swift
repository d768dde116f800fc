/// Which addresses the client may connect to, asked with the very address that is about to be connected to.
///
/// For services that fetch URLs given by strangers: a check of the URL's host beforehand is not enough, because a name
/// may resolve to another address a moment later, and because a redirect may lead anywhere. This one is asked for every
/// connection of every hop, after the look-up.
///
/// ```swift
/// let policy = AddressPolicy { $0.scope == .global || $0 == metrics }
/// ```
public struct AddressPolicy: Sendable {
    private let allows: (@Sendable (SocketAddress) -> Bool)?
    /// What a policy of the library is called in archives.
    let name: String?

    /// Allows every address. The default.
    public static let any = AddressPolicy(name: "any", allows: nil)

    /// Allows addresses of the public internet only: no loopback, no private or link-local network, no tunnel into one.
    public static let publicOnly = AddressPolicy(name: "publicOnly") { $0.scope == .global }

    /// Makes a policy from a check, which is called on any thread and should not block.
    public init(_ allows: @escaping @Sendable (SocketAddress) -> Bool) {
        self.init(name: nil, allows: allows)
    }

    private init(name: String?, allows: (@Sendable (SocketAddress) -> Bool)?) {
        self.name = name
        self.allows = allows
    }

    /// Whether `address` may be connected to.
    public func allows(_ address: SocketAddress) -> Bool {
        allows.map { $0(address) } ?? true
    }
}
