/// The state machine of a redirect chain: decides where each redirect leads, and when the chain ends. Without I/O.
package struct RedirectMachine: Sendable {
    private struct Visit: Hashable {
        let method: String
        let url: HTTPURL
    }

    private let limit: Int
    private let allowsDowngrade: Bool
    private var visits: [Visit: Int] = [:]
    /// How many redirects were followed.
    package private(set) var count = 0

    package init(limit: Int, allowsDowngrade: Bool) {
        self.limit = limit
        self.allowsDowngrade = allowsDowngrade
    }

    /// Whether a status is one that leads on (RFC 9110 15.4): not 300, which offers a choice, nor 304, 305 and 306.
    package static func isRedirect(_ status: Int) -> Bool {
        status == 302 || status == 301 || status == 303 || status == 307 || status == 308
    }

    /// Decides on a response with a redirecting status.
    ///
    /// - Parameters:
    ///   - locations: The values of all its Location fields.
    ///   - setsState: Whether it changes what the client will send, as a cookie does: then an address that was visited
    ///     before may answer differently.
    /// - Returns: Nil when it names no target, and so is the answer itself.
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
        // Once may be the server's way to start over, without a cookie to show for it; twice is a loop.
        guard visits[Visit(method: next, url: target.withFragment(nil)), default: 0] < 2 else { throw .loop }
        return Redirect(
            url: target, method: next, keepsBody: keepsBody, leavesOrigin: target.origin != url.origin,
            leavesTLS: leavesTLS)
    }

    /// Resolves a target (RFC 3986 5.2), which inherits the fragment (RFC 9110 10.2.2).
    ///
    /// Credentials in it were chosen by the server, not by the caller, and are dropped; those of the URL stay with its
    /// origin.
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

    /// 303 asks for something else; after 301 and 302 user agents have always taken POST for that, and nothing else.
    private static func method(after status: Int, _ method: String) -> (String, keepsBody: Bool) {
        switch status {
        case 303 where method != "GET" && method != "HEAD": ("GET", false)
        case 301 where method == "POST", 302 where method == "POST": ("GET", false)
        default: (method, true)
        }
    }
}

/// The target of a redirect, and how the request changes (RFC 9110 15.4, with the Fetch standard's table of methods).
package struct Redirect: Sendable, Equatable {
    package let url: HTTPURL
    package let method: String
    /// Whether the content goes along. Without it, the fields that describe it stay behind, too.
    package let keepsBody: Bool
    /// Whether the target is of another origin, for which credentials were not meant.
    package let leavesOrigin: Bool
    /// Whether it leads from https to http.
    package let leavesTLS: Bool
}

/// Why a redirect is not followed.
package enum RedirectFault: Error, Equatable, Sendable {
    /// There is more than one target, and they differ.
    case ambiguous
    /// The target cannot be parsed, or is neither http nor https.
    case badTarget(HTTPURL.Fault)
    /// From https to http.
    case downgrade
    /// Back to where the redirects came from, for the second time.
    case loop
    /// More redirects than allowed.
    case tooMany(limit: Int)
}
