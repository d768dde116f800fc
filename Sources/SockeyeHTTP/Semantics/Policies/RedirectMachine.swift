/// The state machine of a redirect chain: determines the target of each redirect, and ends the chain. Without I/O.
package struct RedirectMachine: Sendable {
    private struct Visit: Hashable {
        let method: String
        let url: HTTPURL
    }

    private let limit: Int
    private let allowsDowngrade: Bool
    /// For each method and URL (without fragment), the number of redirected requests. A redirect that changes later
    /// requests, for example by a cookie, first resets all numbers.
    private var visits: [Visit: Int] = [:]
    /// The number of followed redirects.
    package private(set) var count = 0

    package init(limit: Int, allowsDowngrade: Bool) {
        self.limit = limit
        self.allowsDowngrade = allowsDowngrade
    }

    /// Returns true for the statuses of redirects that can be followed: 301, 302, 303, 307 and 308 (RFC 9110 15.4). 300
    /// offers a choice, and 304 to 306 are not redirects to another URL.
    package static func isRedirect(_ status: Int) -> Bool {
        status == 302 || status == 301 || status == 303 || status == 307 || status == 308
    }

    /// Decides on a response with a redirect status.
    ///
    /// - Parameters:
    ///   - locations: The values of all Location fields of the response.
    ///   - setsState: True if the response changes later requests, for example by a cookie. A URL that was visited
    ///     before may then answer differently.
    /// - Returns: The redirect to follow; nil if the response names no target and therefore is the final one.
    package mutating func follow(
        _ status: Int, to locations: [String], from url: HTTPURL, method: String, setsState: Bool
    ) throws(RedirectFault) -> Redirect? {
        guard let location = locations.first else { return nil }
        guard locations.allSatisfy({ $0 == location }) else { throw .ambiguous }
        if setsState { visits = [:] }
        visits[Visit(method: method, url: url.withFragment(nil)), default: 0] += 1
        let target = try Self.resolve(location, from: url)
        let leavesTLS = url.origin.scheme == .https && target.origin.scheme == .http
        guard !leavesTLS || allowsDowngrade else { throw .downgrade }
        count += 1
        guard count <= limit else { throw .tooMany(limit: limit) }
        let (next, keepsBody) = Self.method(after: status, method)
        // One return to a visited URL may be intended, even if no response set a cookie. A second return is a loop.
        guard visits[Visit(method: next, url: target.withFragment(nil)), default: 0] < 2 else { throw .loop }
        return Redirect(
            url: target, method: next, keepsBody: keepsBody, leavesOrigin: target.origin != url.origin,
            leavesTLS: leavesTLS)
    }

    /// Resolves a target (RFC 3986 5.2). A target without a fragment inherits the fragment of `url` (RFC 9110 10.2.2).
    ///
    /// User information in the target is dropped, because the server chose it and not the caller. If the target has the
    /// same origin as `url`, it gets the user information of `url`.
    private static func resolve(_ location: String, from url: HTTPURL) throws(RedirectFault) -> HTTPURL {
        let target: HTTPURL
        do throws(HTTPURL.Fault) {
            target = try url.resolving(location)
        } catch {
            throw .badTarget(error)
        }
        let fragmented = target.fragment == nil ? target.withFragment(url.fragment) : target
        return target.origin == url.origin ? fragmented.withUserInfo(of: url) : fragmented.removingUserInfo
    }

    /// Returns the next method, and true if the content is kept. 303 asks for another resource by GET; HEAD stays HEAD.
    /// After 301 and 302, user agents have always changed POST to GET, but no other method.
    private static func method(after status: Int, _ method: String) -> (String, keepsBody: Bool) {
        switch status {
        case 303 where method != "GET" && method != "HEAD": ("GET", false)
        case 301 where method == "POST", 302 where method == "POST": ("GET", false)
        default: (method, true)
        }
    }
}

/// The target of a redirect and the changes to the request (RFC 9110 15.4). The method changes as in the "HTTP-redirect
/// fetch" of the Fetch standard.
package struct Redirect: Sendable, Equatable {
    package let url: HTTPURL
    package let method: String
    /// True if the content is sent again. If not, the fields that describe it are dropped, too.
    package let keepsBody: Bool
    /// True if the target has another origin, which must not get the credentials.
    package let leavesOrigin: Bool
    /// True if the redirect leads from https to http.
    package let leavesTLS: Bool
}

/// The reason why a redirect is not followed.
package enum RedirectFault: Error, Equatable, Sendable {
    /// There are several targets, and they differ.
    case ambiguous
    /// The target cannot be parsed, or is neither http nor https.
    case badTarget(HTTPURL.Fault)
    /// The redirect leads from https to http.
    case downgrade
    /// The redirects return to the same URL with the same method for the second time.
    case loop
    /// More redirects than allowed.
    case tooMany(limit: Int)
}
