extension HTTPURL {
    /// `http` or `https`.
    public var scheme: Scheme { origin.scheme }

    /// The host in lower-case ASCII: a domain name in A-label form, or an IP address without brackets and zone.
    public var host: String { origin.host }

    /// Whether the host is an IPv4 or IPv6 address. Such a host gets no SNI and no cookie domain.
    public var isIPLiteral: Bool { hostKind != .name }

    /// The effective port, 1 to 65535.
    public var port: Int { origin.port }

    /// The path, percent-encoded as it goes to the server; at least `/`.
    public var path: String { String(Substring(pathView)) }

    /// The query after the `?`, percent-encoded; nil if there is no `?`, empty if nothing follows it.
    public var query: String? {
        bounds.query < bounds.fragment ? String(Substring(slice(bounds.query + 1, bounds.fragment))) : nil
    }

    /// The fragment after the `#`, percent-encoded; nil if there is no `#`. It is never sent.
    public var fragment: String? {
        let end = UInt32(text.utf8.count)
        return bounds.fragment < end ? String(Substring(slice(bounds.fragment + 1, end))) : nil
    }

    /// The user name, decoded; nil if the URL has no user information.
    public var user: String? {
        userInfo.map { Self.decoded($0.utf8.prefix { $0 != 0x3A }) }
    }

    /// The password, decoded; nil if the URL names none.
    public var password: String? {
        guard let userInfo, let colon = userInfo.utf8.firstIndex(of: 0x3A) else { return nil }
        return Self.decoded(userInfo.utf8[colon...].dropFirst())
    }

    private static func decoded(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: PercentEncoding.decode(bytes), as: UTF8.self)
    }

    /// Whether both URLs lead to the same scheme, host and port.
    public func isSameOrigin(as other: HTTPURL) -> Bool { origin == other.origin }

    /// The path as a slice of the URL.
    package var pathView: Substring.UTF8View { slice(bounds.path, bounds.query) }

    func slice(_ start: UInt32, _ end: UInt32) -> Substring.UTF8View {
        let bytes = text.utf8
        let first = bytes.index(bytes.startIndex, offsetBy: Int(start))
        return bytes[first..<bytes.index(first, offsetBy: Int(end - start))]
    }
}
