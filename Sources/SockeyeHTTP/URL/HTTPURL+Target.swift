/// The parts of a URL that go on the wire. All of it is visible ASCII, so nothing is checked again before it is sent.
extension HTTPURL {
    /// The request target in origin form: path and query (RFC 9112, 3.2.1).
    package var target: Substring.UTF8View { slice(bounds.path, bounds.fragment) }

    /// The value of the Host field: brackets around IPv6, the port only where it is not the default (RFC 9112, 3.2).
    package var authority: Substring.UTF8View { slice(scheme == .https ? 8 : 7, bounds.path) }

    /// The request target for a proxy that forwards plain http (RFC 9112, 3.2.2).
    package var absoluteForm: Substring.UTF8View { slice(0, bounds.fragment) }

    /// The request target of CONNECT: host and port, the default one included (RFC 9112, 3.2.3).
    package var authorityForm: String { "\(origin.bracketedHost):\(port)" }

    /// The host to resolve and connect to: with the zone of a link-local address, which is for this machine only.
    package var connectHost: String {
        guard let zone = origin.zone else { return host }
        return "\(host)%\(zone)"
    }

    /// Whether the URL names a user, whose credentials go into a field then.
    package var hasUserInfo: Bool { userInfo != nil }

    /// The bytes of ``target``, where they are.
    func withTarget<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe withBytes(from: bounds.path, to: bounds.fragment, body)
    }

    /// The bytes of ``authority``, where they are.
    func withAuthority<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe withBytes(from: scheme == .https ? 8 : 7, to: bounds.path, body)
    }

    @inline(__always)
    private func withBytes<Result>(
        from start: UInt32, to end: UInt32, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        unsafe ByteScan.withBytes(of: text.utf8) {
            unsafe body(UnsafeRawBufferPointer(rebasing: $0[Int(start)..<Int(end)]))
        }
    }
}
