/// A challenge of a server or proxy: what a WWW-Authenticate or Proxy-Authenticate field asks for (RFC 9110 11.3).
public struct Challenge: Sendable, Hashable {
    struct Parameter: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// The scheme as it was sent, such as `Basic`; letters in either case mean the same.
    public let scheme: String
    /// What stands in place of parameters, as with Negotiate; nil where there are parameters, or nothing.
    public let token: String?
    let parameters: [Parameter]

    init(scheme: String, token: String? = nil, parameters: [Parameter] = []) {
        self.scheme = scheme
        self.token = token
        self.parameters = parameters
    }

    /// The value of a parameter, without quotes and escapes. Names compare without regard to case.
    public subscript(name: String) -> String? {
        parameters.first { Self.matches($0.name, name) }?.value
    }

    /// What the credentials are for: with the origin it makes the protection space (RFC 9110 11.5).
    public var realm: String? { self["realm"] }

    /// Whether the scheme is the one of this name, whatever the case of its letters.
    public func isScheme(_ name: String) -> Bool { Self.matches(scheme, name) }

    /// The number of bytes in the values of all parameters.
    var length: Int { parameters.reduce(0) { $0 + $1.value.utf8.count } }

    private static func matches(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.lowercased() == right.lowercased()
    }
}

extension Challenge: CustomStringConvertible, CustomReflectable {
    /// For example `Digest realm="inbox"`. Nonces and tokens are left out.
    public var description: String { realm.map { "\(scheme) realm=\($0.debugDescription)" } ?? scheme }

    /// The description alone, so that dumps show no nonces and tokens either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
