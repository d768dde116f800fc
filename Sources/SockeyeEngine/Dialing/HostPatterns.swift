import SockeyeHTTP

/// Values by host: for one name or address, or for all names below one (`*.example.com`).
struct HostPatterns<Value: Sendable>: Sendable {
    private var exact: [String: Value] = [:]
    private var below: [String: Value] = [:]

    /// False for what is no pattern. Names are compared as URLs have them: in lower case, as A-labels, and without the dot
    /// that may end them.
    mutating func add(_ value: Value, for pattern: String) -> Bool {
        let isSuffix = pattern.hasPrefix("*.")
        let text = String(isSuffix ? pattern.dropFirst(2) : pattern[...])
        let bracketed = text.utf8.contains(0x3A) && !text.hasPrefix("[") ? "[\(text)]" : text
        guard !text.isEmpty, !text.utf8.contains(where: { [0x2A, 0x2F, 0x3F, 0x23, 0x40, 0x5C].contains($0) }),
            let url = try? HTTPURL("https://\(bracketed)/"), url.port == 443, url.hostKind == .name || !isSuffix,
            text.utf8.last != 0x3A, isSuffix || !Self.hasPort(text, url)
        else { return false }
        if isSuffix, Self.hasPort(text, url) { return false }
        let name = Self.normalized(url.host)
        if isSuffix { below[name] = value } else { exact[name] = value }
        return true
    }

    private static func hasPort(_ text: String, _ url: HTTPURL) -> Bool {
        url.hostKind != .ipv6 && text.utf8.contains(0x3A)
    }

    /// The value of this very host, else that of the longest name that it is below.
    subscript(_ host: String) -> Value? {
        guard !exact.isEmpty || !below.isEmpty else { return nil }
        let name = Self.normalized(host)
        if let found = exact[name] { return found }
        guard !below.isEmpty else { return nil }
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let found = below[String(rest)] { return found }
        }
        return nil
    }

    private static func normalized(_ host: String) -> String {
        host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
    }
}
