public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

// Calls whose result is a value: of a serializer that the call names, or of a `Decodable` type.
extension HTTPClient {
    /// Sends a request with any method and makes a value of the response.
    ///
    /// ```swift
    /// let users = try await api.get("users", as: .json([User].self))
    /// ```
    ///
    /// The serializer says what Accept asks for, unless call or scope have that field, and which responses it takes.
    ///
    /// - Throws: What ``send(_:)`` and ``Response/value(as:)`` throw.
    @discardableResult
    public func request<Serializer: ResponseSerializer>(
        _ method: HTTPRequest.Method, _ url: String, query: Parameters = [:], headers: Headers = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions(), as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        let headers = asking(serializer.accept, in: headers)
        return try await send(
            makeRequest(method, url, query: query, headers: headers, body: body, options: options)
        ).value(as: serializer)
    }

    /// Sends a request with any method and decodes the response.
    ///
    /// ```swift
    /// let user: User = try await api.get("users/1")
    /// ```
    ///
    /// The format is that of the scope's decoder, else JSON; only 2xx with content of that type is taken. An optional type is
    /// nil for an empty body.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/unacceptableStatus``,
    ///   ``SockeyeError/Code-swift.struct/unacceptableContentType`` and
    ///   ``SockeyeError/Code-swift.struct/decodingFailed``, each with the response as evidence, and what ``send(_:)``
    ///   throws.
    public func request<Value: Decodable>(
        _ method: HTTPRequest.Method, _ url: String, query: Parameters = [:], headers: Headers = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        guard scope.serialization?.decoder == nil else {
            return try await send(
                makeRequest(method, url, query: query, headers: headers, body: body, options: options))
        }
        return try await request(
            method, url, query: query, headers: headers, body: body, options: options, as: .json(Value.self))
    }

    /// Sends a GET request and makes a value of the response.
    /// See ``request(_:_:query:headers:body:options:as:)``.
    public func get<Serializer: ResponseSerializer>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions(),
        as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(.get, url, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a GET request and decodes the response.
    /// See ``request(_:_:query:headers:body:options:)-swift.method``.
    public func get<Value: Decodable>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.get, url, query: query, headers: headers, options: options)
    }

    /// Sends a HEAD request, whose response has no body, and makes a value of the response.
    /// See ``request(_:_:query:headers:body:options:as:)``.
    public func head<Serializer: ResponseSerializer>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions(),
        as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(.head, url, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a HEAD request and validates the response; as that has no body, only types with a value for it make sense,
    /// such as ``NoContent``. See ``request(_:_:query:headers:body:options:)-swift.method``.
    public func head<Value: Decodable>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.head, url, query: query, headers: headers, options: options)
    }

    /// Sends a POST request and makes a value of the response.
    /// See ``request(_:_:query:headers:body:options:as:)``.
    @discardableResult
    public func post<Serializer: ResponseSerializer>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions(), as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(.post, url, query: query, headers: headers, body: body, options: options, as: serializer)
    }

    /// Sends a POST request and decodes the response.
    /// See ``request(_:_:query:headers:body:options:)-swift.method``.
    public func post<Value: Decodable>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.post, url, query: query, headers: headers, body: body, options: options)
    }

    /// Sends a PUT request and makes a value of the response.
    /// See ``request(_:_:query:headers:body:options:as:)``.
    @discardableResult
    public func put<Serializer: ResponseSerializer>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions(), as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(.put, url, query: query, headers: headers, body: body, options: options, as: serializer)
    }

    /// Sends a PUT request and decodes the response.
    /// See ``request(_:_:query:headers:body:options:)-swift.method``.
    public func put<Value: Decodable>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.put, url, query: query, headers: headers, body: body, options: options)
    }

    /// Sends a PATCH request and makes a value of the response.
    /// See ``request(_:_:query:headers:body:options:as:)``.
    @discardableResult
    public func patch<Serializer: ResponseSerializer>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions(), as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(.patch, url, query: query, headers: headers, body: body, options: options, as: serializer)
    }

    /// Sends a PATCH request and decodes the response.
    /// See ``request(_:_:query:headers:body:options:)-swift.method``.
    public func patch<Value: Decodable>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.patch, url, query: query, headers: headers, body: body, options: options)
    }

    /// Sends a DELETE request and makes a value of the response.
    /// See ``request(_:_:query:headers:body:options:as:)``.
    @discardableResult
    public func delete<Serializer: ResponseSerializer>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions(), as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(.delete, url, query: query, headers: headers, body: body, options: options, as: serializer)
    }

    /// Sends a DELETE request and decodes the response.
    /// See ``request(_:_:query:headers:body:options:)-swift.method``.
    public func delete<Value: Decodable>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.delete, url, query: query, headers: headers, body: body, options: options)
    }

    /// Sends an OPTIONS request and makes a value of the response.
    /// See ``request(_:_:query:headers:body:options:as:)``.
    public func options<Serializer: ResponseSerializer>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions(),
        as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(.options, url, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends an OPTIONS request and decodes the response.
    /// See ``request(_:_:query:headers:body:options:)-swift.method``.
    public func options<Value: Decodable>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.options, url, query: query, headers: headers, options: options)
    }
}
