import Sockeye

/// The arguments of `--proxy`, `--proxy-user` and `--noproxy`.
package struct ProxyArgument: Sendable {
    /// The URL of the proxy, with its credentials.
    package let url: String
    private let exceptions: [String]

    /// - Parameters:
    ///   - user: `name:password`, which replaces the credentials in the URL.
    ///   - exceptions: Hosts without a proxy, separated by commas: names with all names below them, or addresses. An
    ///     IPv6 address may be in brackets.
    package init(_ url: String, user: String?, exceptions: String?) throws {
        self.exceptions = try (exceptions ?? "").split { $0 == "," || $0 == " " }.map { text in
            guard !text.contains("/") else {
                throw UsageFault("--noproxy takes names and addresses, but no networks such as \(text)")
            }
            let host = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text
            return String(host.drop { $0 == "." }).lowercased()
        }
        guard let user else {
            self.url = url
            return
        }
        guard let colon = user.firstIndex(of: ":") else {
            throw UsageFault("--proxy-user needs a password: NAME:PASSWORD")
        }
        let credentials = [user[..<colon], user[user.index(after: colon)...]]
            .map { FormEncoding.encoded(String($0)) }.joined(separator: ":")
        let scheme = url.firstRange(of: "://").map { url[..<$0.upperBound] } ?? "http://"
        let address = url.dropFirst(url.contains("://") ? scheme.count : 0)
        let bare = address.lastIndex(of: "@").map { address[address.index(after: $0)...] } ?? address
        self.url = "\(scheme)\(credentials)@\(bare)"
    }

    /// True if requests to this host go without the proxy.
    package func isException(_ host: String) -> Bool {
        let host = host.lowercased()
        return exceptions.contains { $0 == "*" || host == $0 || host.hasSuffix(".\($0)") }
    }

    package var hasExceptions: Bool { !exceptions.isEmpty }
}
