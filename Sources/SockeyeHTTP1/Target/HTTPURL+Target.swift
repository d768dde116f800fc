/// What of a URL goes on the wire. All of it is visible ASCII, so none of it needs checking again before it is sent.
extension HTTPURL {
    /// The request target in origin form: path and query (RFC 9112, 3.2.1).
    package var target: Substring.UTF8View { slice(bounds.path, bounds.fragment) }

    /// The value of the Host field: brackets around IPv6, the port only where it is not the default (RFC 9112, 3.2).
    package var authority: Substring.UTF8View { slice(scheme == .https ? 8 : 7, bounds.path) }

    /// The request target for a proxy that forwards plain http (RFC 9112, 3.2.2).
    package var absoluteForm: Substring.UTF8View { slice(0, bounds.fragment) }

    /// The request target of CONNECT: host and port, the default one included (RFC 9112, 3.2.3).
    package var authorityForm: String { "\(origin.bracketedHost):\(port)" }
}
