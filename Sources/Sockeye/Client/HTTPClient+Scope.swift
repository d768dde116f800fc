public import SockeyeEngine
public import SockeyeHTTP

extension HTTPClient {
    /// Returns a scope: a client that shares this client's connections and adds these defaults to each request.
    ///
    /// Scopes nest: an inner scope resolves its base against that of the outer scope, and overrides the outer fields by
    /// name.
    ///
    /// **Credentials and origins.** Credentials go to the origin (scheme, host, port) of the base URL. The client
    /// treats a call to another origin, with an absolute URL or `//host/x`, like a redirect to that origin. It omits:
    ///
    /// - the fields that ``RedirectPolicy`` removes, and Referer,
    /// - the unix-domain socket,
    /// - the client certificate of ``ClientConfiguration/tls``; a certificate of ``ClientConfiguration/tlsOverrides``
    ///   is still sent to the hosts that it was configured for,
    /// - the credentials of an ``AuthenticationPolicy``, except those given for certain origins or hosts (with
    ///   `origins`, in a ``Credential/Storage`` or in a netrc file),
    /// - signatures, unless their ``SigningInterceptor`` was made with `crossingOrigins`,
    /// - interceptors with ``Interceptor/carriesCredentials``, whether they were added before or after `scoped` was
    ///   called.
    ///
    /// The same applies to an inner scope with a base of another origin. Header fields and options that the call itself
    /// sets still apply. `trusting` names further origins that receive the scope's credentials:
    ///
    /// ```swift
    /// let api = client.scoped(
    ///     baseURL: "https://api.example.com/",
    ///     trusting: ["https://uploads.example.com"], headers: ["X-API-Key": key])
    /// ```
    ///
    /// A redirect to a trusted origin still drops credentials, because the server chooses the target of a redirect. If
    /// neither the scope nor an outer scope has a base, the scope's credentials go to the origin of each call. If such
    /// a scope has trusted origins, its credentials go only to these.
    ///
    /// **Paths from users.** RFC 3986 5.2 lets a reference leave its base: with `..`, with a path that begins with `/`,
    /// or with another host. With `isConfined`, a call with a reference that leaves the base fails with
    /// ``SockeyeError/Code-swift.struct/invalidURL`` before anything is sent. The call also fails if the path leaves
    /// the base once `%2F` and `%5C` are decoded, because some servers decode them. Inner scopes must lie within the
    /// base as well. Redirects are not confined; ``RedirectPolicy/decide`` can refuse them.
    ///
    /// ```swift
    /// let files = client.scoped(
    ///     baseURL: "https://api.example.com/tenants/7/", isConfined: true)
    /// // fails if name is "../../8/reports"
    /// try await files.get("reports/\(name)")
    /// ```
    ///
    /// - Parameters:
    ///   - baseURL: The base for relative URLs (RFC 3986 5.2). A path without a trailing slash gets one, as with
    ///     AFNetworking's `baseURL`. The URL `"users"` is then appended to the path, `"/users"` replaces the path, and
    ///     `"//host/x"` replaces host and path. A base that cannot be parsed makes every request fail with
    ///     ``SockeyeError/Code-swift.struct/invalidURL``.
    ///   - isConfined: True to refuse URLs outside of the base URL. Default: false, which keeps the setting of the
    ///     outer scope. Without a base URL, true has no effect until an inner scope sets a base URL.
    ///   - origins: Further origins that receive the credentials, each given by any URL of that origin. A URL that
    ///     cannot be parsed makes every request fail with ``SockeyeError/Code-swift.struct/invalidURL``.
    ///   - headers: Fields for each request that does not set them.
    ///   - unixSocketPath: A unix-domain socket to connect to instead of the URL's host.
    ///   - timeouts: Deadlines. Those that are set override the client's.
    ///   - tolerances: Faults accepted in responses to requests of this scope. `[]`: none. Nil: the same as the outer
    ///     scope.
    ///   - requestSerializer: Encodes `.parameters` content and `query:`. A `.json(encoder)` serializer also encodes
    ///     `.json` content. Nil: the same as the outer scope.
    ///   - decoder: Decodes the values of calls with `as:` and a `Decodable` type. Nil: the same as the outer scope.
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
    /// Returns a client over the same connections with further interceptors, the outermost first.
    ///
    /// ```swift
    /// let api = client.adding(.redirects(.manual), .cookies())
    /// ```
    ///
    /// A new interceptor runs inside of the existing ones of the same stage. If the stage can hold only one
    /// interceptor, the new interceptor replaces the existing one. See ``Call/Stage``.
    public func adding(_ interceptors: any Interceptor...) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.interceptors = $0.interceptors.adding(interceptors) })
    }

    /// Returns a client over the same connections without the interceptors of some stages.
    public func removing(_ stages: Call.Stage...) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.interceptors = $0.interceptors.without(Set(stages)) })
    }

    /// Returns a client over the same connections. Its calls have the value in their ``OutgoingRequest/Context``,
    /// unless a call itself sets a value for the key.
    package func context<Key: OutgoingRequest.ContextKey>(_ key: Key.Type, _ value: Key.Value) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.context[key] = value })
    }

    /// Returns a client over the same connections with a further monitor. The monitor receives the events of the
    /// returned client's calls and transfer tasks.
    public func monitored(by monitor: some EventMonitor) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.monitors.append(monitor) })
    }

    /// Returns a client over the same connections that passes events to a closure. Descriptions of events contain no
    /// secrets.
    ///
    /// ```swift
    /// // #7 GET https://example.com/users: 200 after 0.012 seconds
    /// client.monitored(.callReturned) { print($0) }
    /// ```
    ///
    /// - Parameters:
    ///   - kinds: The kinds of events to pass. Default: all.
    ///   - handle: Receives each event, like ``EventMonitor/handle(_:)``.
    public func monitored(
        _ kinds: ClientEvent.Kinds = .all, by handle: @escaping @Sendable (ClientEvent) -> Void
    ) -> HTTPClient {
        monitored(by: ClosureMonitor(kinds: kinds, body: handle))
    }
}
