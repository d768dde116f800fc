public import SockeyeEngine
public import SockeyeHTTP

extension HTTPClient {
    /// A client over the same connections that adds to each request what is given here.
    ///
    /// Scopes nest: an inner one resolves its base against the outer's and overrides its fields by name.
    ///
    /// **Where its credentials go.** To the origin (scheme, host, port) of the base URL. A call whose URL leads to another
    /// one, be it absolute or `//host/x`, goes there as if a redirect had led it: without the fields that
    /// ``RedirectPolicy`` leaves behind, without the unix-domain socket, without the client certificate of
    /// ``ClientConfiguration/tls`` (one of ``ClientConfiguration/tlsOverrides`` is meant for its host), without what
    /// ``AuthenticationPolicy`` sends for the caller, signatures, and interceptors that ``Interceptor/carriesCredentials``,
    /// whether they are of this scope or of those around it, added before or after. The same goes for an inner scope whose base is of another origin.
    /// What the call itself sets goes along. `trusting` names further origins:
    ///
    /// ```swift
    /// let api = client.scoped(
    ///     baseURL: "https://api.example.com/", trusting: ["https://uploads.example.com"], headers: ["X-API-Key": key])
    /// ```
    ///
    /// Redirects to them still leave credentials behind, since it is the server that chooses those. A scope without a base, and
    /// without one around it that has one, sends its credentials wherever its calls lead, unless it has trusted origins: then to
    /// these and to no others.
    ///
    /// **Paths that come from users.** RFC 3986 5.2 lets a reference leave its base: `..`, a path that begins with `/`, another
    /// host. In a confined scope such a call fails with ``SockeyeError/Code-swift.struct/invalidURL`` before anything is sent, and
    /// so does a path that leaves the base once `%2F` and `%5C` are decoded, as some servers do. Scopes inside of it have to be
    /// within its base as well. Redirects are not confined: the server chooses those, and ``RedirectPolicy/decide`` can refuse
    /// them.
    ///
    /// ```swift
    /// let files = client.scoped(baseURL: "https://api.example.com/tenants/7/", isConfined: true)
    /// try await files.get("reports/\(name)")        // fails for "../../8/reports"
    /// ```
    ///
    /// - Parameters:
    ///   - baseURL: What relative URLs are resolved against (RFC 3986 5.2). A path without a trailing slash gets one, as
    ///     with AFNetworking's `baseURL`: `"users"` appends, `"/users"` replaces the path, `"//host/x"` the host. A base
    ///     that cannot be parsed makes every request fail with ``SockeyeError/Code-swift.struct/invalidURL``.
    ///   - isConfined: Whether URLs outside of the base URL are refused. Default false: as around it.
    ///   - origins: Further origins that the credentials go to, as any URLs of them. One that cannot be parsed makes every
    ///     request fail with ``SockeyeError/Code-swift.struct/invalidURL``.
    ///   - headers: Fields for each request that does not have them itself.
    ///   - unixSocketPath: A unix-domain socket to connect to instead of the URL's host.
    ///   - timeouts: Deadlines instead of the client's: those that are set.
    ///   - tolerances: Faults that are accepted of the servers that the scope is for. `[]`: none. Nil: as before.
    ///   - requestSerializer: What makes requests of `.parameters` content, and writes `query:`.
    ///     `.json(encoder)` also encodes `.json` content. Nil: as before.
    ///   - decoder: What reads the `Decodable` values of calls with `as:` and a type. Nil: as before.
    public func scoped<Base: HTTPURL.Convertible>(
        baseURL: Base? = String?.none, isConfined: Bool = false, trusting origins: [String] = [],
        headers: Headers = [:], unixSocketPath: String? = nil, timeouts: Timeouts? = nil,
        tolerances: ResponseTolerances? = nil, requestSerializer: (any RequestSerializer)? = nil,
        decoder: (any ResponseDecoder)? = nil
    ) -> HTTPClient {
        let base = baseURL.map { url in Result { () throws(SockeyeError) in try scope.resolveBase(url) } }
        return HTTPClient(
            scope: scope.changed { settings in
                if let base { settings.setBase(base) }
                if isConfined { settings.isConfined = true }
                settings.trust(origins)
                settings.headers = headers.merging(settings.headers)
                if let unixSocketPath { settings.unixSocketPath = unixSocketPath }
                if let timeouts { settings.timeouts = settings.timeouts.map { timeouts.over($0) } ?? timeouts }
                if let tolerances { settings.tolerances = tolerances }
                settings.serialize(with: requestSerializer, decoder)
            })
    }
}

extension HTTPClient {
    /// A client over the same connections with further interceptors, from the outside in.
    ///
    /// ```swift
    /// let api = client.adding(.redirects(.manual), .cookies())
    /// ```
    ///
    /// They stand further in than those of the same stage that are there already, and replace them where the stage holds one.
    /// See ``Call/Stage``.
    public func adding(_ interceptors: any Interceptor...) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.interceptors = $0.interceptors.adding(interceptors) })
    }

    /// A client over the same connections without the interceptors of some stages.
    public func removing(_ stages: Call.Stage...) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.interceptors = $0.interceptors.without(Set(stages)) })
    }

    /// A client over the same connections with another monitor, which hears its calls and tasks.
    public func monitored(by monitor: some EventMonitor) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.monitors.append(monitor) })
    }

    /// A client over the same connections that passes events to a closure. Descriptions of events hold no secrets.
    ///
    /// ```swift
    /// client.monitored(.callReturned) { print($0) }   // #7 GET https://example.com/users: 200 after 0.012 seconds
    /// ```
    ///
    /// - Parameters:
    ///   - kinds: The kinds of events that the closure wants. Default: all.
    ///   - handle: As ``EventMonitor/handle(_:)``.
    public func monitored(
        _ kinds: ClientEvent.Kinds = .all, by handle: @escaping @Sendable (ClientEvent) -> Void
    ) -> HTTPClient {
        monitored(by: ClosureMonitor(kinds: kinds, body: handle))
    }
}
