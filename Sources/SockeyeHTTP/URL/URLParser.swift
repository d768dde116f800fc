/// Parses relative references, and URLs that are not in normal form, and writes the normal form.
///
/// It works on UTF-8 bytes: every delimiter of a URL is ASCII, and multi-byte sequences contain no ASCII bytes.
struct URLParser {
    private let input: [UInt8]
    /// The range of the URL, without the blanks and controls around it.
    private let range: Range<Int>
    private var output: [UInt8] = []

    init(_ string: String) throws(HTTPURL.Fault) {
        input = Array(string.utf8)
        let first: Int = input.firstIndex { $0 > 0x20 } ?? input.endIndex
        let last: Int = input.lastIndex { $0 > 0x20 } ?? first
        range = first..<(first < input.endIndex ? last + 1 : last)
        guard range.count <= HTTPURL.maximumLength else { throw HTTPURL.Fault(.tooLong) }
        // Control characters are refused. Browsers instead drop tabs and line ends inside a URL. If this parser did
        // so too, the fetched URL could differ from the string that was checked before.
        if let control = input[range].firstIndex(where: ASCIISet.controls.contains) {
            throw HTTPURL.Fault(.control, at: control)
        }
    }

    mutating func parse(relativeTo base: HTTPURL?) throws(HTTPURL.Fault) -> HTTPURL {
        output.reserveCapacity(range.count + 16)
        if let colon = schemeEnd() {
            let scheme = try scheme(endingAt: colon)
            return try parseAuthority(from: authorityStart(after: colon + 1), scheme: scheme)
        }
        guard let base else { throw HTTPURL.Fault(.relative, at: range.lowerBound) }
        if startsWithTwoSlashes(range.lowerBound) {
            return try parseAuthority(from: authorityStart(after: range.lowerBound), scheme: base.scheme)
        }
        return try parseReference(base)
    }

    /// Returns the index of the colon after the scheme; nil if there is no scheme.
    private func schemeEnd() -> Int? {
        guard let first = input[range].first, ASCIISet.letters.contains(first) else { return nil }
        let allowed = Self.schemeCharacters
        guard let end = input[range].firstIndex(where: { !allowed.contains($0) }), input[end] == 0x3A else {
            return nil
        }
        return end
    }

    private static let schemeCharacters = ASCIISet.letters.union(.digits).union(ASCIISet("+-."))

    private func scheme(endingAt end: Int) throws(HTTPURL.Fault) -> HTTPURL.Scheme {
        switch String(decoding: input[range.lowerBound..<end], as: UTF8.self).lowercased() {
        case "http": return .http
        case "https": return .https
        default: throw HTTPURL.Fault(.unsupportedScheme, at: range.lowerBound)
        }
    }

    private func isSlash(_ position: Int) -> Bool {
        position < range.upperBound && (input[position] == 0x2F || input[position] == 0x5C)
    }

    private func startsWithTwoSlashes(_ position: Int) -> Bool {
        isSlash(position) && isSlash(position + 1)
    }

    /// Skips exactly `//`. Browsers also accept `http:host`, `http:/host` and `http:\\host`, which have no host under
    /// RFC 3986. They are refused, because another parser that checked the URL earlier may have seen a different host.
    private func authorityStart(after position: Int) throws(HTTPURL.Fault) -> Int {
        guard startsWithTwoSlashes(position) else { throw HTTPURL.Fault(.missingAuthority, at: position) }
        guard input[position] == 0x2F, input[position + 1] == 0x2F else {
            throw HTTPURL.Fault(.backslash, at: position)
        }
        return position + 2
    }

    private mutating func parseAuthority(from start: Int, scheme: HTTPURL.Scheme) throws(HTTPURL.Fault) -> HTTPURL {
        let end =
            input[start..<range.upperBound].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? range.upperBound
        if let backslash = input[start..<end].firstIndex(of: 0x5C) { throw HTTPURL.Fault(.backslash, at: backslash) }
        let authority = try URLAuthority(input[start..<end])
        output.append(contentsOf: scheme == .https ? "https://".utf8 : "http://".utf8)
        if authority.host.kind == .ipv6 { output.append(0x5B) }
        output.append(contentsOf: authority.host.name.utf8)
        if authority.host.kind == .ipv6 { output.append(0x5D) }
        let port = authority.port ?? scheme.defaultPort
        if port != scheme.defaultPort { output.append(contentsOf: ":\(port)".utf8) }
        return try finish(
            from: end,
            path: output.count,
            Destination(
                origin: HTTPURL.Origin(
                    scheme: scheme, host: authority.host.name, port: port, zone: authority.host.zone),
                userInfo: authority.userInfo,
                hostKind: authority.host.kind
            )
        )
    }

    /// Parses a reference without an authority: takes the base's authority, and the part of its path and query that the
    /// reference does not replace.
    private mutating func parseReference(_ base: HTTPURL) throws(HTTPURL.Fault) -> HTTPURL {
        let keep: UInt32
        switch range.isEmpty ? 0x23 : input[range.lowerBound] {
        case 0x2F, 0x5C: keep = base.bounds.path
        case 0x3F: keep = base.bounds.query
        case 0x23: keep = base.bounds.fragment
        default:
            // Keeps the base path before its last slash, because a slash is written before each appended segment.
            let path = base.pathView
            keep =
                base.bounds.path
                + UInt32(path.lastIndex(of: 0x2F).map { path.distance(from: path.startIndex, to: $0) } ?? 0)
        }
        output.append(contentsOf: base.slice(0, keep))
        let kept = keep >= base.bounds.query ? base.bounds : nil
        return try finish(
            from: range.lowerBound,
            path: Int(base.bounds.path),
            Destination(origin: base.origin, userInfo: base.userInfo, hostKind: base.hostKind),
            keeping: kept
        )
    }

    private struct Destination {
        let origin: HTTPURL.Origin
        let userInfo: String?
        let hostKind: HTTPURL.HostKind
    }

    /// Parses path, query and fragment from `position`. If `kept` is given, the output already has the path of the
    /// base. If the reference is empty or begins with `#`, the output also has the query of the base.
    private mutating func finish(
        from position: Int, path: Int, _ destination: Destination, keeping kept: HTTPURL.Bounds? = nil
    ) throws(HTTPURL.Fault) -> HTTPURL {
        let end = range.upperBound
        let hash = input[position..<end].firstIndex(of: 0x23) ?? end
        let question = input[position..<hash].firstIndex(of: 0x3F) ?? hash
        if kept == nil { PathNormalizer.append(input[position..<question], to: &output, pathStart: path) }
        var bounds = HTTPURL.Bounds(path: UInt32(path), query: UInt32(output.count), fragment: 0)
        if let kept { bounds.query = kept.query }
        if question < hash {
            output.append(0x3F)
            PercentEncoding.append(input[question + 1..<hash], encoding: PercentEncoding.query, to: &output)
        }
        bounds.fragment = UInt32(output.count)
        if hash < end {
            output.append(0x23)
            PercentEncoding.append(input[hash + 1..<end], encoding: PercentEncoding.fragment, to: &output)
        }
        guard output.count <= HTTPURL.maximumLength else { throw HTTPURL.Fault(.tooLong) }
        return HTTPURL(
            text: String(decoding: output, as: UTF8.self),
            origin: destination.origin,
            userInfo: destination.userInfo,
            hostKind: destination.hostKind,
            bounds: bounds
        )
    }
}

/// The authority component of a URL: user information, host and port (RFC 3986, 3.2).
struct URLAuthority {
    /// `user` or `user:password`, percent-encoded; nil if missing or empty.
    let userInfo: String?
    let host: Host
    /// The port; nil if the URL has none.
    let port: UInt16?

    init(_ bytes: ArraySlice<UInt8>) throws(HTTPURL.Fault) {
        var rest = bytes
        if let at = bytes.lastIndex(of: 0x40) {
            userInfo = try Self.userInfo(bytes[..<at])
            rest = bytes[(at + 1)...]
        } else {
            userInfo = nil
        }
        // Colons inside brackets belong to the address.
        let bracket = rest.first == 0x5B ? rest.firstIndex(of: 0x5D) ?? rest.startIndex : rest.startIndex
        let colon = rest[bracket...].firstIndex(of: 0x3A)
        do {
            host = try Host(rest[..<(colon ?? rest.endIndex)])
        } catch {
            throw HTTPURL.Fault(error, at: rest.startIndex)
        }
        port = try colon.map { (colon) throws(HTTPURL.Fault) in try Self.port(rest[(colon + 1)...]) } ?? nil
    }

    /// Returns the percent-encoded form; nil for empty user information, as in `@` and `:@`.
    private static func userInfo(_ bytes: ArraySlice<UInt8>) throws(HTTPURL.Fault) -> String? {
        // Most parsers end the user information at the last "@", some at the first, so they would see different hosts.
        if let at = bytes.firstIndex(of: 0x40) { throw HTTPURL.Fault(.userInfo, at: at) }
        let decoded = PercentEncoding.decode(bytes)
        guard String(validating: decoded, as: UTF8.self) != nil, !decoded.contains(where: ASCIISet.controls.contains)
        else {
            throw HTTPURL.Fault(.userInfo, at: bytes.startIndex)
        }
        var output: [UInt8] = []
        let colon = bytes.firstIndex(of: 0x3A) ?? bytes.endIndex
        PercentEncoding.append(bytes[..<colon], encoding: PercentEncoding.userInfo, to: &output)
        if colon < bytes.endIndex {
            output.append(0x3A)
            PercentEncoding.append(bytes[(colon + 1)...], encoding: PercentEncoding.userInfo, to: &output)
        }
        return output.isEmpty || output == [0x3A] ? nil : String(decoding: output, as: UTF8.self)
    }

    /// Parses a port. Returns nil for an empty port, as in `http://host:/`, which means the default port (RFC 3986,
    /// 3.2.3).
    private static func port(_ digits: ArraySlice<UInt8>) throws(HTTPURL.Fault) -> UInt16? {
        var value: UInt32 = 0
        for byte in digits {
            guard case 0x30...0x39 = byte else { throw HTTPURL.Fault(.port, at: digits.startIndex) }
            value = value * 10 + UInt32(byte - 0x30)
            guard value <= 65_535 else { throw HTTPURL.Fault(.port, at: digits.startIndex) }
        }
        guard value > 0 || digits.isEmpty else { throw HTTPURL.Fault(.port, at: digits.startIndex) }
        return digits.isEmpty ? nil : UInt16(value)
    }
}

/// Path normalisation: removes dot segments (RFC 3986, 5.2.4) and percent-encodes unsafe characters.
///
/// An escaped dot segment (`%2e%2E`) is removed, too: servers decode unreserved characters, so the path could otherwise
/// lead to a higher directory than it seems to. A backslash counts as a slash, as in browsers and many servers. It
/// cannot change the host, which is already parsed at this point.
enum PathNormalizer {
    /// Appends the segments of `path` to the path in `output`, which begins at `pathStart`. That path is empty, or it
    /// is a base path before its last slash. The result is at least `/`.
    static func append(_ path: ArraySlice<UInt8>, to output: inout [UInt8], pathStart: Int) {
        var rest = path
        if let first = rest.first, isSlash(first) { rest.removeFirst() }
        while true {
            let end = rest.firstIndex(where: isSlash) ?? rest.endIndex
            appendSegment(rest[..<end], isLast: end == rest.endIndex, to: &output, pathStart: pathStart)
            guard end < rest.endIndex else { return }
            rest = rest[(end + 1)...]
        }
    }

    private static func isSlash(_ byte: UInt8) -> Bool { byte == 0x2F || byte == 0x5C }

    private static func appendSegment(
        _ segment: ArraySlice<UInt8>, isLast: Bool, to output: inout [UInt8], pathStart: Int
    ) {
        switch dots(segment) {
        case 1:
            if isLast { output.append(0x2F) }
        case 2:
            if let slash = output[pathStart...].lastIndex(of: 0x2F) { output.removeSubrange(slash...) }
            if isLast { output.append(0x2F) }
        default:
            output.append(0x2F)
            PercentEncoding.append(segment, encoding: PercentEncoding.path, to: &output)
        }
    }

    /// Returns 1 for `.` and 2 for `..`, escaped or not, else 0.
    private static func dots(_ segment: ArraySlice<UInt8>) -> Int {
        guard let first = segment.first, first == 0x2E || first == 0x25, segment.count <= 6 else { return 0 }
        var rest = segment
        var count = 0
        while let byte = rest.popFirst() {
            if byte == 0x25 {
                guard rest.popFirst() == 0x32, let digit = rest.popFirst(), digit | 0x20 == 0x65 else { return 0 }
            } else if byte != 0x2E {
                return 0
            }
            count += 1
        }
        return count <= 2 ? count : 0
    }
}
