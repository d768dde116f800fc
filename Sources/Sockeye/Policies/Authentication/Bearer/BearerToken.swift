/// A token of OAuth 2.0 and how long it may be used. Neither description nor dump show it.
public struct BearerToken: Sendable, Hashable {
    let text: String
    let lifetime: Duration?

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - text: Visible ASCII.
    ///   - lifetime: How long it can be used from now on, as `expires_in` says (RFC 6749 5.1). Default nil: until a server
    ///     refuses it.
    public init(_ text: String, expiresIn lifetime: Duration? = nil) {
        self.text = text
        self.lifetime = lifetime
    }
}

extension BearerToken: CustomStringConvertible, CustomReflectable {
    /// `token`, and no more.
    public var description: String { "token" }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
