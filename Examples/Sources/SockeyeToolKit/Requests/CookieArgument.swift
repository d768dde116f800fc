/// What `--cookie` says: cookies as they are sent, or a file of them, told apart by the equals sign as curl does.
package enum CookieArgument: Sendable, Hashable {
    case field(String)
    case file(String)

    package init(_ text: String) {
        self = text.contains("=") ? .field(text) : .file(text)
    }
}

/// What `--resolve` says: `host:port:address`, the address of IPv6 in brackets or not.
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
