public import SockeyeHTTP1

extension HTTPClient {
    /// A client over the same connections that adds to each request what is given here.
    ///
    /// Scopes nest: an inner one resolves its base against the outer's and overrides its fields by name.
    ///
    /// - Parameters:
    ///   - baseURL: What relative URLs are resolved against (RFC 3986 5.2). A path without a trailing slash gets one, as
    ///     with AFNetworking's `baseURL`: `"users"` appends, `"/users"` replaces the path, `"//host/x"` the host. A base
    ///     that cannot be parsed makes every request fail with ``SockeyeError/Code-swift.struct/invalidURL``.
    ///   - headers: Fields for each request that does not have them itself.
    ///   - unixSocketPath: A unix-domain socket to connect to instead of the URL's host.
    ///   - timeouts: Deadlines instead of the client's.
    public func scoped(
        baseURL: String? = nil, headers: Headers = [:], unixSocketPath: String? = nil, timeouts: Timeouts? = nil
    ) -> HTTPClient {
        let base = baseURL.map { url in Result { () throws(SockeyeError) in try scope.resolveBase(url) } }
        return HTTPClient(
            scope: scope.changed { settings in
                if let base { settings.baseURL = base }
                settings.headers = headers.merging(settings.headers)
                if let unixSocketPath { settings.unixSocketPath = unixSocketPath }
                if let timeouts { settings.timeouts = timeouts }
            })
    }

    /// As ``scoped(baseURL:headers:unixSocketPath:timeouts:)``, with another way to send parameters.
    ///
    /// - Parameter requestSerializer: What makes requests of `parameters:`, and writes `query:`. A
    ///   ``JSONRequestSerializer`` also encodes what calls get as `json:`.
    public func scoped(
        baseURL: String? = nil, headers: Headers = [:], unixSocketPath: String? = nil, timeouts: Timeouts? = nil,
        requestSerializer: some RequestSerializer
    ) -> HTTPClient {
        scoped(baseURL: baseURL, headers: headers, unixSocketPath: unixSocketPath, timeouts: timeouts)
            .serializing(requestSerializer, scope.serialization?.decoder)
    }

    /// As ``scoped(baseURL:headers:unixSocketPath:timeouts:)``, with another format of answers.
    ///
    /// - Parameter decoder: What reads the `Decodable` values of calls without `as:`.
    public func scoped(
        baseURL: String? = nil, headers: Headers = [:], unixSocketPath: String? = nil, timeouts: Timeouts? = nil,
        decoder: some ResponseDecoder
    ) -> HTTPClient {
        scoped(baseURL: baseURL, headers: headers, unixSocketPath: unixSocketPath, timeouts: timeouts)
            .serializing(scope.serialization?.requestSerializer, decoder)
    }

    /// As ``scoped(baseURL:headers:unixSocketPath:timeouts:)``, with another way to send parameters and another format of
    /// answers.
    public func scoped(
        baseURL: String? = nil, headers: Headers = [:], unixSocketPath: String? = nil, timeouts: Timeouts? = nil,
        requestSerializer: some RequestSerializer, decoder: some ResponseDecoder
    ) -> HTTPClient {
        scoped(baseURL: baseURL, headers: headers, unixSocketPath: unixSocketPath, timeouts: timeouts)
            .serializing(requestSerializer, decoder)
    }

    private func serializing(
        _ requestSerializer: (any RequestSerializer)?, _ decoder: (any ResponseDecoder)?
    ) -> HTTPClient {
        let serialization = ScopeSerialization(requestSerializer: requestSerializer, decoder: decoder)
        return HTTPClient(scope: scope.changed { $0.serialization = serialization })
    }
}
