/// The argument of `--cookie`: a Cookie field, or a file of cookies. As in curl, a field contains an equals sign.
package enum CookieArgument: Sendable, Hashable {
    case field(String)
    case file(String)

    package init(_ text: String) {
        self = text.contains("=") ? .field(text) : .file(text)
    }
}

/// The argument of `--resolve`: `host:port:address`; an IPv6 address may be in brackets.
package struct ResolveArgument: Sendable, Hashable {
    package let key: String
    package let address: String
    package let port: Int

    package init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[0].isEmpty, let port = Int(parts[1]), (1...65535).contains(port) else {
            throw UsageFault("'\(text)' is not host:port:address")
        }
        let address = parts[2].hasPrefix("[") ? String(parts[2].dropFirst().prefix { $0 != "]" }) : parts[2]
        key = "\(parts[0]):\(port)"
        self.address = address
        self.port = port
    }
}
