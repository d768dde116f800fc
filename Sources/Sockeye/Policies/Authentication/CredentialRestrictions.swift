import SockeyeEngine
import SockeyeHTTP

/// The restrictions on sending credentials: to which origins, and whether over plain http.
struct CredentialRestrictions: Sendable {
    /// The origins of the URLs that were given with the credentials, or the parse error of the first invalid URL among
    /// them. Nil if no URLs were given: the credentials are then for the origins that the caller requests.
    private let origins: Result<[HTTPURL.Origin], SockeyeError>?
    private let allowsPlaintext: Bool
    /// True if credentials may be sent to other origins after redirects, because the source of the credentials selects
    /// them by the request's origin.
    private let followsRedirects: Bool
    /// The route of the client's http requests to this machine (`localhost`). A proxy or a host override can lead these
    /// requests to another machine.
    private var loopbackRoute = LoopbackRoute.local

    init(origins: [String] = [], allowsPlaintext: Bool, followsRedirects: Bool = false) {
        self.allowsPlaintext = allowsPlaintext
        self.followsRedirects = followsRedirects
        self.origins = origins.isEmpty ? nil : HTTPURL.Origin.parsing(origins)
    }

    /// True if the origins were given with the credentials.
    var namesOrigins: Bool { origins != nil }

    /// Returns true if a request's origin may receive credentials. Throws if one of the given URLs could not be parsed.
    func permits(_ request: OutgoingRequest) throws(SockeyeError) -> Bool {
        guard let origins else { return followsRedirects || !request.parts.options.leftOrigin }
        return try origins.get().contains(request.parts.url.origin)
    }

    /// Returns these restrictions for a client that sends requests to this machine by `route`.
    func sending(by route: LoopbackRoute) -> CredentialRestrictions {
        var restrictions = self
        restrictions.loopbackRoute = route
        return restrictions
    }

    /// Returns true if the request may carry credentials that are not encrypted themselves, such as a password. This is
    /// so if the request is encrypted or stays on this machine, or if the caller allows plain http.
    func isPrivate(_ request: OutgoingRequest) -> Bool {
        allowsPlaintext || request.parts.isPrivate(by: loopbackRoute)
    }

    func requirePrivacy(_ request: OutgoingRequest) throws(SockeyeError) {
        guard !isPrivate(request) else { return }
        throw .insecureCredentials(
            "credentials are not sent over plain http to another machine or through a proxy, unless the policy is made "
                + "with allowsPlaintext"
        )
        .about(RequestIdentity(method: request.method.rawValue, url: request.url))
    }
}

extension HTTPURL.Origin {
    /// The origins of URLs, or the parse error of the first URL that is not valid.
    static func parsing(_ urls: [String]) -> Result<[HTTPURL.Origin], SockeyeError> {
        Result { () throws(SockeyeError) in
            var origins: [HTTPURL.Origin] = []
            for url in urls { origins.append(try HTTPURL(checking: url).origin) }
            return origins
        }
    }
}
