import Sockeye
import SockeyeHTTP

/// Set-Cookie fields, and files of cookies.
enum CookieTargets {
    /// The input has the URL on the first line, and then the fields of several answers, one on each line.
    static let fields: FuzzTarget = { bytes in
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard let url = try? HTTPURL(String(decoding: lines[0], as: UTF8.self)) else { return }
        var store = CookieStore(trustsLoopback: false)
        let now: Int64 = 1_700_000_000
        for line in lines.dropFirst() {
            guard let cookie = try? store.store(line, from: url, at: now) else { continue }
            require(CookieScope.host(url.host, url.hostKind, isWithin: cookie.domain), "\(url) set \(cookie.domain)")
            require(!cookie.isSecure || url.scheme == .https, "a secure cookie of \(url)")
            require(
                !cookie.name.hasPrefix("__Host-") || (cookie.isHostOnly && cookie.path == "/"),
                "a __Host- cookie with a domain or path")
            require(cookie.name.utf8.count + cookie.value.utf8.count <= ClientCookie.maximumLength, "a long cookie")
            let text = cookie.name + cookie.value
            require(!text.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0x3B }, "a cookie that breaks a field")
        }
        for cookie in store.matches(url, at: { now }) {
            require(cookie.expiration ?? .max > now, "an expired cookie is sent")
        }
        require(store.count == store.cookies.count, "\(store.count) cookies, \(store.cookies.count) listed")
        let saved = NetscapeCookieFile.text(of: store.cookies)
        require(
            NetscapeCookieFile.parse(Array(saved.utf8)).unreadable == 0, "a saved cookie cannot be loaded: \(saved)")
    }

    /// Reads files in both formats. A file that was read and written must read as the same cookies.
    static let files: FuzzTarget = { bytes in
        let (cookies, _) = NetscapeCookieFile.parse(bytes)
        let text = NetscapeCookieFile.text(of: cookies)
        let again = NetscapeCookieFile.parse(Array(text.utf8))
        require(again.unreadable == 0 && again.cookies.count == cookies.count, "\(text.debugDescription)")
        for (one, other) in zip(cookies, again.cookies) {
            require(one.name == other.name && one.value == other.value && one.domain == other.domain, text)
            require(one.path == other.path && one.isHostOnly == other.isHostOnly, text)
        }
        guard let (entries, _) = try? CookieFile.cookies(bytes, as: .json, path: "file") else { return }
        for cookie in entries {
            require(cookie.name.utf8.count + cookie.value.utf8.count <= ClientCookie.maximumLength, "a long cookie")
        }
    }
}
