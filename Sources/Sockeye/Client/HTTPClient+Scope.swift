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
    /// ``ClientConfiguration/tls`` (one of ``ClientConfiguration/tlsOverrides`` is meant for its host), without what ``AuthenticationPolicy`` sends for
    /// the caller, signatures, and interceptors that ``Interceptor/carriesCredentials``, whether they are of this scope
    /// or of those around it, added before or after. The same goes for an inner scope whose base is of another origin.
    /// What the call itself sets goes along. ``trusting(_:)`` names further origins. A scope without a base, and without
    /// one around it that has one, sends what it has wherever its calls lead.
    ///
    /// - Parameters:
    ///   - baseURL: What relative URLs are resolved against (RFC 3986 5.2). A path without a trailing slash gets one, as
    ///     with AFNetworking's `baseURL`: `"users"` appends, `"/users"` replaces the path, `"//host/x"` the host. A base
    ///     that cannot be parsed makes every request fail with ``SockeyeError/Code-swift.struct/invalidURL``.
    ///   - headers: Fields for each request that does not have them itself.
    ///   - unixSocketPath: A unix-domain socket to connect to instead of the URL's host.
    ///   - timeouts: Deadlines instead of the client's: those that are set.
    ///   - requestSerializer: What makes requests of `.parameters` content, and writes `query:`. A
    ///     ``JSONRequestSerializer`` also encodes `.json` content. Nil: as before.
    ///   - decoder: What reads the `Decodable` values of calls with `as:` and a type. Nil: as before.
    public func scoped<Base: HTTPURLConvertible>(
        baseURL: Base? = String?.none, headers: Headers = [:], unixSocketPath: String? = nil,
        timeouts: Timeouts? = nil, requestSerializer: (any RequestSerializer)? = nil,
        decoder: (any ResponseDecoder)? = nil
    ) -> HTTPClient {
        let base = baseURL.map { url in Result { () throws(SockeyeError) in try scope.resolveBase(url) } }
        return HTTPClient(
            scope: scope.changed { settings in
                if let base { settings.setBase(base) }
                settings.headers = headers.merging(settings.headers)
                if let unixSocketPath { settings.unixSocketPath = unixSocketPath }
                if let timeouts { settings.timeouts = settings.timeouts.map { timeouts.over($0) } ?? timeouts }
                settings.serialize(with: requestSerializer, decoder)
            })
    }

    /// A client over the same connections whose credentials also go to these origins, as to that of its base URL.
    ///
    /// ```swift
    /// let api = client.scoped(baseURL: "https://api.example.com/", headers: ["X-API-Key": key])
    ///     .trusting(["https://uploads.example.com"])
    /// ```
    ///
    /// Redirects to them still leave credentials behind, since it is the server that chooses those. Without a base URL the
    /// client's credentials then go to these origins and to no others.
    ///
    /// - Parameter origins: Any URLs of the origins. One that cannot be parsed fails every request with
    ///   ``SockeyeError/Code-swift.struct/invalidURL``.
    public func trusting(_ origins: [String]) -> HTTPClient {
        HTTPClient(
            scope: scope.changed { settings in
                switch HTTPURL.Origin.parsing(origins) {
                case .success(let parsed): settings.origins = (settings.origins ?? []) + parsed
                case .failure(let error): settings.setBase(.failure(error))
                }
            })
    }
}

extension HTTPClient {
    /// A client over the same connections with another interceptor, such as `.redirects(.manual)`.
    ///
    /// It stands further in than those of the same stage that are there already, and instead of them where the stage
    /// holds one. See ``InterceptorStage``.
    public func adding(_ interceptor: some Interceptor) -> HTTPClient {
        adding([interceptor])
    }

    /// As `adding(_: some Interceptor)`, with an interceptor of any type.
    ///
    /// Besides, it is this overload that lets the compiler (6.3) see that closures written inside `.name { … }` are
    /// sendable.
    public func adding(_ interceptor: any Interceptor) -> HTTPClient {
        adding([interceptor])
    }

    /// A client over the same connections with several further interceptors, from the outside in.
    public func adding(_ interceptors: [any Interceptor]) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.interceptors = $0.interceptors.adding(interceptors) })
    }

    /// A client over the same connections without the interceptors of some stages.
    public func removing(_ stages: InterceptorStage...) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.interceptors = $0.interceptors.without(Set(stages)) })
    }

    /// A client over the same connections whose calls a further monitor hears of.
    public func monitored(by monitor: some EventMonitor) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.monitors.append(monitor) })
    }
}

extension HTTPClient {
    /// A client over the same connections that accepts what the servers it is meant for do wrong.
    ///
    /// - Parameter tolerances: Instead of those of this client and of its configuration; none for `[]`.
    public func tolerating(_ tolerances: ResponseTolerances) -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.tolerances = tolerances })
    }
}
