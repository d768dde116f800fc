/// An absolute `http` or `https` URL, parsed once.
///
/// One parser serves connecting, the Host field, cookies, redirects and origin comparison, so that no two of them can
/// disagree about the destination of a URL. It accepts the URLs that browsers accept (the WHATWG URL standard), except
/// those on which parsers are known to disagree. Such URLs have control characters anywhere inside, backslashes in or
/// before the authority, a second `@`, a scheme without `//`, or an empty label in the host. The parser also refuses a
/// third slash before the host, port 0, and lengths above ``maximumLength`` or the limits of DNS. Decoded user
/// information must be UTF-8 without control characters.
///
/// The stored URL is normalised: lower-case scheme and A-label host, canonical IP addresses, no default port, no dot
/// segments (plain or escaped), a path of at least `/`. Everything outside visible ASCII is percent-encoded in
/// upper-case hex. A `%XX` escape in the input is kept as it is, except in the host and in dot segments. RFC 3986,
/// 6.2.2.2 would allow decoding some escapes, but servers sign and compare paths bytewise.
///
/// A trailing dot of the host is kept: `example.com.` is absolute for DNS, while `example.com` is subject to search
/// lists. The two are therefore different origins.
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `http` or `https`.
    public typealias Scheme = HTTPURL.Origin.Scheme

    /// The maximum length of a URL in bytes, before and after normalisation.
    public static let maximumLength = 65_536

    /// A reference to the parts: copying a URL touches one reference count instead of one for each string.
    private let parts: Parts

    private final class Parts: Sendable {
        let text: String
        let origin: HTTPURL.Origin
        let userInfo: String?
        let hostKind: HTTPURL.HostKind
        let bounds: Bounds

        init(text: String, origin: HTTPURL.Origin, userInfo: String?, hostKind: HTTPURL.HostKind, bounds: Bounds) {
            self.text = text
            self.origin = origin
            self.userInfo = userInfo
            self.hostKind = hostKind
            self.bounds = bounds
        }
    }

    /// The normalised URL without user information and zone; visible ASCII only. Authority, path, query and fragment
    /// are slices of it.
    var text: String { parts.text }
    /// The scheme, host and port, and the zone of an IPv6 address.
    public var origin: HTTPURL.Origin { parts.origin }
    /// True if the URL's origin equals `origin`; the comparison touches no reference counts.
    package func isAt(_ origin: HTTPURL.Origin) -> Bool { parts.origin == origin }

    /// True if the host is this machine; see ``HTTPURL/Origin/isLoopback``.
    package var isLoopback: Bool {
        // The host text of an IPv4 address is in normal form, so the prefix "127." suffices to recognise 127.0.0.0/8.
        hostKind == .ipv4 ? parts.origin.isInLoopbackNetwork : parts.origin.isLoopback
    }

    /// `user` or `user:password`, percent-encoded; nil if the URL has no user information.
    var userInfo: String? { parts.userInfo }
    /// The kind of the host: a name or an address.
    public var hostKind: HTTPURL.HostKind { parts.hostKind }
    /// The boundaries between the parts as offsets into `text`.
    var bounds: Bounds { parts.bounds }

    struct Bounds: Sendable, Hashable {
        /// The start of the path.
        var path: UInt32
        /// The offset of `?`; equal to `fragment` if there is no query.
        var query: UInt32
        /// The offset of `#`; equal to the length if there is no fragment.
        var fragment: UInt32
    }

    init(text: String, origin: HTTPURL.Origin, userInfo: String?, hostKind: HTTPURL.HostKind, bounds: Bounds) {
        parts = Parts(text: text, origin: origin, userInfo: userInfo, hostKind: hostKind, bounds: bounds)
    }

    /// A placeholder for values without a URL: `invalid` never resolves (RFC 6761 6.4).
    package static let placeholder = HTTPURL(
        text: "http://invalid/", origin: HTTPURL.Origin(scheme: .http, host: "invalid", port: 80), userInfo: nil,
        hostKind: .name, bounds: Bounds(path: 14, query: 15, fragment: 15))

    /// Parses an absolute URL. Blanks and C0 controls around it are ignored, as in browsers.
    ///
    /// - Throws: ``HTTPURL/Fault`` if it is not an acceptable absolute http or https URL, or is longer than
    ///   ``maximumLength``.
    public init(_ string: String) throws(HTTPURL.Fault) {
        if let url = HTTPURL(clean: string) {
            self = url
        } else {
            var parser = try URLParser(string)
            self = try parser.parse(relativeTo: nil)
        }
    }

    /// Resolves a reference, such as a Location field or a path, against this URL (RFC 3986, 5.2).
    ///
    /// User information is inherited unless the reference has an authority. The fragment is never inherited.
    ///
    /// - Throws: ``HTTPURL/Fault`` if the result would not be an http or https URL, or if the reference or the result
    ///   is longer than ``maximumLength``.
    public func resolving(_ reference: String) throws(HTTPURL.Fault) -> HTTPURL {
        if let url = HTTPURL(clean: reference) { return url }
        var parser = try URLParser(reference)
        return try parser.parse(relativeTo: self)
    }

    /// Returns true if the URLs are equal after normalisation, including their user information.
    public static func == (left: HTTPURL, right: HTTPURL) -> Bool {
        left.text == right.text && left.userInfo == right.userInfo && left.origin.zone == right.origin.zone
    }

    /// Feeds the properties compared by ``==(_:_:)`` to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(userInfo)
        hasher.combine(origin.zone)
    }

    /// The whole URL without user information. Its query and its fragment may hold secrets.
    public var description: String {
        guard let zone = origin.zone else { return text }
        // Only an IPv6 literal has a zone, so the first `]` ends the host.
        let end = text.utf8.firstIndex(of: 0x5D) ?? text.endIndex
        return text[..<end] + "%25" + zone + text[end...]
    }

    /// The description with `***` in place of the values of secret items in query and fragment.
    public var debugDescription: String { masked }

    /// A mirror of the masked description only, so that dumps show no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": masked]) }
}

extension HTTPURL {
    /// `http` or `https`.
    public var scheme: Scheme { origin.scheme }

    /// The host in lower-case ASCII: a domain name in A-label form, or an IP address without brackets and zone.
    public var host: String { origin.host }

    /// True if the host is an IPv4 or IPv6 address. Such a host gets no SNI and no cookie domain.
    public var isIPLiteral: Bool { hostKind != .name }

    /// The effective port, 1 to 65535.
    public var port: Int { origin.port }

    /// Host and port as in the Host field, for example `example.com:8443`. An IPv6 address has brackets, the port is
    /// omitted if it is the scheme's default, and there is neither user information nor zone.
    public var authority: String { String(Substring(authorityView)) }

    /// The path, percent-encoded as it is sent; at least `/`.
    public var path: String { String(Substring(pathView)) }

    /// The query after the `?`, percent-encoded. Nil if there is no `?`, empty if nothing follows it.
    public var query: String? {
        bounds.query < bounds.fragment ? String(Substring(slice(bounds.query + 1, bounds.fragment))) : nil
    }

    /// True if a query or a fragment follows the path, even an empty one.
    package var hasQueryOrFragment: Bool { Int(bounds.query) < text.utf8.count }

    /// The fragment after the `#`, percent-encoded; nil if there is no `#`. It is never sent.
    public var fragment: String? {
        let end = UInt32(text.utf8.count)
        return bounds.fragment < end ? String(Substring(slice(bounds.fragment + 1, end))) : nil
    }

    /// The user name, decoded; nil if the URL has no user information.
    public var user: String? {
        userInfo.map { Self.decoded($0.utf8.prefix { $0 != 0x3A }) }
    }

    /// The password, decoded; nil if the URL has none.
    public var password: String? {
        guard let userInfo, let colon = userInfo.utf8.firstIndex(of: 0x3A) else { return nil }
        return Self.decoded(userInfo.utf8[colon...].dropFirst())
    }

    private static func decoded(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: PercentEncoding.decode(bytes), as: UTF8.self)
    }

    /// Returns true if both URLs have the same scheme, host, zone and port.
    public func isSameOrigin(as other: HTTPURL) -> Bool { origin == other.origin }

    /// The path as a slice of the URL.
    package var pathView: Substring.UTF8View { slice(bounds.path, bounds.query) }

    func slice(_ start: UInt32, _ end: UInt32) -> Substring.UTF8View {
        let bytes = text.utf8
        let first = bytes.index(bytes.startIndex, offsetBy: Int(start))
        return bytes[first..<bytes.index(first, offsetBy: Int(end - start))]
    }
}

extension HTTPURL {
    /// Returns this URL with `query` added to its own query, joined by `?` or `&` if necessary. An empty `query`
    /// changes nothing.
    ///
    /// - Parameter query: Encoded as `a=1&b=2`. Characters that a query does not allow are percent-encoded, including
    ///   `#` and controls; `&`, `=`, `+` and `%` keep their meaning.
    /// - Throws: ``HTTPURL/Fault`` if the result is longer than ``maximumLength``.
    public func appending(query: String) throws(HTTPURL.Fault) -> HTTPURL {
        guard !query.isEmpty else { return self }
        var output = Array(slice(0, bounds.fragment))
        if bounds.query == bounds.fragment {
            output.append(0x3F)
        } else if bounds.query + 1 < bounds.fragment {
            output.append(0x26)
        }
        PercentEncoding.append(query.utf8, encoding: PercentEncoding.query, to: &output)
        let fragmentStart = output.count
        output.append(contentsOf: slice(bounds.fragment, UInt32(text.utf8.count)))
        guard output.count <= Self.maximumLength else { throw HTTPURL.Fault(.tooLong) }
        var bounds = bounds
        if bounds.query == bounds.fragment { bounds.query = self.bounds.fragment }
        bounds.fragment = UInt32(fragmentStart)
        return with(text: String(decoding: output, as: UTF8.self), bounds: bounds)
    }

    /// This URL without query and fragment. Its path ends in a slash, so that relative references are appended to it.
    ///
    /// - Throws: ``HTTPURL/Fault`` if the result is longer than ``maximumLength``.
    package var withDirectoryPath: HTTPURL {
        get throws(HTTPURL.Fault) {
            // Not by `resolving` the path with a slash: if the path begins with `//`, its start would become the host.
            var output = Array(slice(0, bounds.query))
            if output.last != UInt8(ascii: "/") { output.append(UInt8(ascii: "/")) }
            guard output.count <= Self.maximumLength else { throw HTTPURL.Fault(.tooLong) }
            let end = UInt32(output.count)
            return HTTPURL(
                text: String(decoding: output, as: UTF8.self), origin: origin, userInfo: userInfo, hostKind: hostKind,
                bounds: Bounds(path: bounds.path, query: end, fragment: end))
        }
    }

    /// Returns this URL with another fragment, or without a fragment. Characters that a fragment does not allow are
    /// percent-encoded. The result may be longer than ``maximumLength``.
    public func withFragment(_ fragment: String?) -> HTTPURL {
        var output = Array(slice(0, bounds.fragment))
        if let fragment {
            output.append(0x23)
            PercentEncoding.append(fragment.utf8, encoding: PercentEncoding.fragment, to: &output)
        }
        return with(text: String(decoding: output, as: UTF8.self), bounds: bounds)
    }

    /// This URL without user name and password.
    public var removingUserInfo: HTTPURL {
        guard userInfo != nil else { return self }
        return HTTPURL(text: text, origin: origin, userInfo: nil, hostKind: hostKind, bounds: bounds)
    }

    /// The URL without user information and fragment: the key under which a cache stores responses (RFC 9111 2).
    package var cacheKey: String {
        let hasFragment = Int(bounds.fragment) < text.utf8.count
        return hasFragment ? withFragment(nil).description : description
    }

    /// Returns this URL with the user information of another URL.
    func withUserInfo(of other: HTTPURL) -> HTTPURL {
        HTTPURL(text: text, origin: origin, userInfo: other.userInfo, hostKind: hostKind, bounds: bounds)
    }

    private func with(text: String, bounds: Bounds) -> HTTPURL {
        HTTPURL(text: text, origin: origin, userInfo: userInfo, hostKind: hostKind, bounds: bounds)
    }
}

/// The parts of a URL for connecting and sending. All are visible ASCII, so they need no check before sending.
extension HTTPURL {
    /// The request target in origin form: path and query (RFC 9112, 3.2.1).
    package var target: Substring.UTF8View { slice(bounds.path, bounds.fragment) }

    /// The bytes of ``authority``, which are the value of the Host field (RFC 9112, 3.2).
    package var authorityView: Substring.UTF8View { slice(scheme == .https ? 8 : 7, bounds.path) }

    /// The request target for a proxy that forwards plain http (RFC 9112, 3.2.2).
    package var absoluteForm: Substring.UTF8View { slice(0, bounds.fragment) }

    /// The request target of CONNECT: host and port, the default one included (RFC 9112, 3.2.3).
    package var authorityForm: String { "\(origin.bracketedHost):\(port)" }

    /// The host to resolve and connect to. It includes the zone of a link-local address, which only this machine can
    /// interpret.
    package var connectHost: String {
        guard let zone = origin.zone else { return host }
        return "\(host)%\(zone)"
    }

    package var hasUserInfo: Bool { userInfo != nil }

    /// Calls `body` with the bytes of ``target``, without copying them.
    func withTarget<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe withBytes(from: bounds.path, to: bounds.fragment, body)
    }

    /// Calls `body` with the bytes of ``authorityView``, without copying them.
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
