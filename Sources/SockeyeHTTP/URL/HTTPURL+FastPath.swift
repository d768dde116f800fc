/// The fast path of parsing: validates a URL that is already in normal form, in one pass, and keeps its string.
///
/// The initializer returns nil for any unusual URL, which the caller then passes to `URLParser`. A URL is unusual if
/// its scheme or host has upper-case letters, or if it has an explicit default port, user information, or characters
/// that need encoding. It is also unusual if a path segment begins with a dot or a percent-escape, or if the host is
/// neither a plain name nor an IPv4 address. `URLParser` must give the same result for every URL accepted here; a test
/// checks this.
extension HTTPURL {
    init?(clean string: String) {
        guard let scan = CleanScan(string.utf8.span) else { return nil }
        let host = unsafe ByteScan.withBytes(of: string.utf8) { bytes in
            unsafe String(decoding: bytes[scan.hostStart..<scan.hostEnd], as: UTF8.self)
        }
        let scheme: Scheme = scan.hostStart == 8 ? .https : .http
        self.init(
            text: scan.lacksPath ? string + "/" : string,
            origin: HTTPURL.Origin(scheme: scheme, host: host, port: scan.port ?? scheme.defaultPort),
            userInfo: nil,
            hostKind: scan.hostIsIPv4 ? .ipv4 : .name,
            bounds: scan.bounds
        )
    }
}

/// The offsets of the parts of a URL that needs no normalisation.
private struct CleanScan {
    private(set) var hostStart = 0
    private(set) var hostEnd = 0
    private(set) var hostIsIPv4 = false
    /// The port; nil if the URL has none. It is never the scheme's default.
    private(set) var port: UInt16?
    /// True if the URL ends after host and port. `bounds` then include the slash that is appended to the URL.
    private(set) var lacksPath = false
    private(set) var bounds = HTTPURL.Bounds(path: 0, query: 0, fragment: 0)

    /// The characters that the fast path accepts in a host, in addition to the dot.
    private static let hostAllowed = ASCIISet(0x61...0x7A).union(ASCIISet("0123456789-_"))
    private static let pathAllowed = PercentEncoding.path.union(ASCIISet("\\")).inverted
    private static let queryAllowed = PercentEncoding.query.inverted
    private static let fragmentAllowed = PercentEncoding.fragment.inverted

    init?(_ bytes: Span<UInt8>) {
        guard bytes.count < HTTPURL.maximumLength, scanScheme(bytes), scanHost(bytes), scanPort(bytes) else {
            return nil
        }
        let path = Int(bounds.path)
        if path == bytes.count {
            lacksPath = true
            bounds.query = bounds.path + 1
            bounds.fragment = bounds.path + 1
        } else if bytes[path] != 0x2F || !scanPath(bytes, from: path) {
            return nil
        }
    }

    private mutating func scanScheme(_ bytes: Span<UInt8>) -> Bool {
        // The shortest URL is "http://a".
        guard bytes.count >= 8, bytes[0] == 0x68, bytes[1] == 0x74, bytes[2] == 0x74, bytes[3] == 0x70 else {
            return false
        }
        let colon = bytes[4] == 0x73 ? 5 : 4
        guard bytes[colon] == 0x3A, bytes[colon + 1] == 0x2F, bytes[colon + 2] == 0x2F else { return false }
        hostStart = colon + 3
        return true
    }

    private mutating func scanHost(_ bytes: Span<UInt8>) -> Bool {
        let count = bytes.count
        var position = hostStart
        var label = hostStart
        while position < count {
            let byte = unsafe bytes[unchecked: position]
            if !Self.hostAllowed.contains(byte) {
                guard byte == 0x2E else { break }
                guard position > label, position &- label <= 63 else { return false }
                label = position &+ 1
            }
            position &+= 1
        }
        hostEnd = position
        return endHost(bytes, lastLabel: label)
    }

    private mutating func endHost(_ bytes: Span<UInt8>, lastLabel: Int) -> Bool {
        guard hostEnd > lastLabel, hostEnd - lastLabel <= 63, hostEnd - hostStart <= 253 else { return false }
        guard (0x30...0x39).contains(bytes[lastLabel]) else { return true }
        hostIsIPv4 = IPv4Address(canonical: bytes.extracting(hostStart..<hostEnd)) != nil
        return hostIsIPv4
    }

    private mutating func scanPort(_ bytes: Span<UInt8>) -> Bool {
        bounds.path = UInt32(hostEnd)
        guard hostEnd < bytes.count, bytes[hostEnd] == 0x3A else { return true }
        var position = hostEnd + 1
        var value: UInt32 = 0
        while position < bytes.count, case let digit = bytes[position] &- 0x30, digit <= 9 {
            value = value * 10 + UInt32(digit)
            guard value > 0, value <= 65_535 else { return false }
            position += 1
        }
        let standard: UInt32 = hostStart == 8 ? 443 : 80
        guard value > 0, value != standard else { return false }
        port = UInt16(value)
        bounds.path = UInt32(position)
        return true
    }

    private mutating func scanPath(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        let count = bytes.count
        var position = start
        while position < count, case let byte = unsafe bytes[unchecked: position], Self.pathAllowed.contains(byte) {
            position &+= 1
            // A dot segment begins with a dot, or with a percent sign if the dot is escaped.
            if byte == 0x2F, position < count, bytes[position] == 0x2E || bytes[position] == 0x25 { return false }
        }
        bounds.query = UInt32(position)
        if position < count, bytes[position] == 0x3F {
            position += 1
            while position < count, Self.queryAllowed.contains(bytes[position]) { position += 1 }
        }
        bounds.fragment = UInt32(position)
        if position < count, bytes[position] == 0x23 {
            position += 1
            while position < count, Self.fragmentAllowed.contains(bytes[position]) { position += 1 }
        }
        return position == count
    }
}
