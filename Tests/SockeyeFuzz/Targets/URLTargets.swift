import SockeyeEngine
import SockeyeHTTP

/// URLs, references relative to them, and the values derived from them.
enum URLTargets {
    /// The input has a base and a reference, one on each line.
    static let url: FuzzTarget = { bytes in
        let lines = FuzzInput(bytes).text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let reference = String(lines.last ?? "")
        checkProxy(reference)
        guard let base = try? HTTPURL(String(lines[0])) else { return }
        check(base)
        // A base can become a directory without a change of its origin.
        if let folder = try? base.withDirectoryPath {
            require(folder.origin == base.origin && folder.path.hasSuffix("/"), "\(base) becomes \(folder)")
        }
        guard let joined = try? base.resolving(reference) else { return }
        check(joined)
        if !namesAuthority(reference) {
            require(joined.origin == base.origin, "\(base) and \(reference.debugDescription) make \(joined)")
        }
        checkRedirect(from: base, to: reference)
    }

    /// Returns whether a reference may lead to another authority: it has a scheme, or begins with two slashes (RFC 3986
    /// 4.2).
    private static func namesAuthority(_ reference: String) -> Bool {
        let text = reference.unicodeScalars.drop { $0.value <= 0x20 }
        let isSlash: (Unicode.Scalar) -> Bool = { $0 == "/" || $0 == "\\" }
        if text.prefix(2).count == 2, text.prefix(2).allSatisfy(isSlash) { return true }
        return text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.contains(":")
    }

    private static func check(_ url: HTTPURL) {
        let visible: ClosedRange<UInt8> = 0x21...0x7E
        let text = url.description
        require(url.target.allSatisfy(visible.contains) && url.target.first == 0x2F, text)
        require(url.authorityView.allSatisfy(visible.contains) && !url.authority.isEmpty, text)
        require(text.utf8.count <= HTTPURL.maximumLength + 70, "a URL of \(text.utf8.count) bytes")
        require((1...65_535).contains(url.port), text)
        let bare = url.removingUserInfo
        // A leading blank makes the parser skip its fast path.
        for form in [text, " " + text] {
            guard let again = try? HTTPURL(form) else { fatalError("\(text) does not parse again") }
            require(again == bare && again.origin == url.origin && again.path == url.path, text)
            require(again.query == url.query && again.fragment == url.fragment, text)
        }
        if let longer = try? url.appending(query: "x=1") {
            require(longer.origin == url.origin && longer.path == url.path, text)
        }
        require((try? url.resolving(""))?.origin == url.origin, text)
    }

    private static func checkRedirect(from base: HTTPURL, to location: String) {
        var machine = RedirectMachine(limit: 5, allowsDowngrade: false)
        guard let redirect = try? machine.follow(302, to: [location], from: base, method: "POST", setsState: false)
        else { return }
        require(redirect.leavesOrigin == (redirect.url.origin != base.origin), "\(redirect.url)")
        require(!redirect.leavesOrigin || !redirect.url.hasUserInfo, "user information of another origin")
        require(base.scheme == .http || redirect.url.scheme == .https, "a downgrade")
    }

    private static func checkProxy(_ text: String) {
        if let proxy = try? ProxyAddress(text) { require((1...65_535).contains(proxy.port), "\(proxy)") }
        let bypass = BypassList(text)
        _ = (bypass.contains(host: "a.example.com", port: 80), bypass.contains(host: "10.1.2.3", port: 443))
        _ = (bypass.contains(host: "fe80::1", port: 1), bypass.contains(host: text, port: 80))
    }
}
