import SockeyeEngine
import SockeyeHTTP

/// The restrictions on where credentials go: to which origins, and whether over plain http.
struct CredentialRestrictions: Sendable {
    /// The named origins; nil: those of the URLs that the caller asks for.
    private let origins: Result<[HTTPURL.Origin], SockeyeError>?
    private let allowsPlaintext: Bool
    /// Whether they may follow redirects: each credential is looked up for its origin.
    private let followsRedirects: Bool
    /// How requests to this machine travel.
    private var loopbackRoute = LoopbackRoute.local

    init(origins: [String] = [], allowsPlaintext: Bool, followsRedirects: Bool = false) {
        self.allowsPlaintext = allowsPlaintext
        self.followsRedirects = followsRedirects
        self.origins = origins.isEmpty ? nil : HTTPURL.Origin.parsing(origins)
    }

    /// Whether the origins were named with the credentials.
    var namesOrigins: Bool { origins != nil }

    /// Whether a request may be given credentials at all.
    func permits(_ request: OutgoingRequest) throws(SockeyeError) -> Bool {
        guard let origins else { return followsRedirects || !request.parts.options.leftOrigin }
        return try origins.get().contains(request.parts.url.origin)
    }

    /// The same restrictions in a client with this route to its own machine.
    func sending(by route: LoopbackRoute) -> CredentialRestrictions {
        var restrictions = self
        restrictions.loopbackRoute = route
        return restrictions
    }

    /// Whether the request may carry credentials in plain text: if it is encrypted or stays on this machine, or if the caller allows
    /// it.
    func isPrivate(_ request: OutgoingRequest) -> Bool {
        allowsPlaintext || request.parts.isPrivate(by: loopbackRoute)
    }

    func requirePrivacy(_ request: OutgoingRequest) throws(SockeyeError) {
        guard !isPrivate(request) else { return }
        throw .insecureCredentials(
            "credentials are not sent over plain http to another machine or through a proxy, unless the policy is made with "
                + "allowsPlaintext"
        )
        .about(RequestIdentity(method: request.method.rawValue, url: request.url))
    }
}

extension HTTPURL.Origin {
    /// The origins of URLs, or why the first that cannot be parsed is none.
    static func parsing(_ urls: [String]) -> Result<[HTTPURL.Origin], SockeyeError> {
        Result { () throws(SockeyeError) in
            var origins: [HTTPURL.Origin] = []
            for url in urls { origins.append(try HTTPURL(checking: url).origin) }
            return origins
        }
    }
}
