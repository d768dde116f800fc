public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

// Calls that send a form.
extension HTTPClient {
    /// Sends a form, with any method.
    ///
    /// ```swift
    /// try await api.post("login", form: ["user": "a", "roles": ["x", "y"], "meta": ["k": "v"]])
    /// // meta[k]=v&roles[]=x&roles[]=y&user=a, percent-encoded
    /// ```
    ///
    /// The style is that of the scope's ``HTTPRequestSerializer``, else AFNetworking's.
    ///
    /// - Returns: What the serializer makes of the response; without one, the response at its head.
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` for what the style refuses, and what ``send(_:)`` and
    ///   ``Response/value(as:)`` throw.
    @discardableResult
    public func request<Serializer: ResponseSerializer>(
        _ method: HTTPRequest.Method, _ url: String, form parameters: Parameters, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions(),
        as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        let request = try makeRequest(method, url, query: query, headers: headers, options: options)
        return try await send(adding(.form(parameters), to: request), as: serializer)
    }

    /// Sends a form, with any method, and decodes the response.
    /// See ``request(_:_:form:query:headers:options:as:)``.
    public func request<Value: Decodable>(
        _ method: HTTPRequest.Method, _ url: String, form parameters: Parameters, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        let request = try makeRequest(method, url, query: query, headers: headers, options: options)
        return try await send(adding(.form(parameters), to: request))
    }

    /// Sends a form with POST. See ``request(_:_:form:query:headers:options:as:)``.
    @discardableResult
    public func post<Serializer: ResponseSerializer>(
        _ url: String, form parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .post, url, form: parameters, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a form with POST and decodes the response. See ``request(_:_:form:query:headers:options:as:)``.
    public func post<Value: Decodable>(
        _ url: String, form parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.post, url, form: parameters, query: query, headers: headers, options: options)
    }

    /// Sends a form with PUT. See ``request(_:_:form:query:headers:options:as:)``.
    @discardableResult
    public func put<Serializer: ResponseSerializer>(
        _ url: String, form parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .put, url, form: parameters, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a form with PUT and decodes the response. See ``request(_:_:form:query:headers:options:as:)``.
    public func put<Value: Decodable>(
        _ url: String, form parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.put, url, form: parameters, query: query, headers: headers, options: options)
    }

    /// Sends a form with PATCH. See ``request(_:_:form:query:headers:options:as:)``.
    @discardableResult
    public func patch<Serializer: ResponseSerializer>(
        _ url: String, form parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .patch, url, form: parameters, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a form with PATCH and decodes the response. See ``request(_:_:form:query:headers:options:as:)``.
    public func patch<Value: Decodable>(
        _ url: String, form parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.patch, url, form: parameters, query: query, headers: headers, options: options)
    }

    /// Sends a form with DELETE. See ``request(_:_:form:query:headers:options:as:)``.
    @discardableResult
    public func delete<Serializer: ResponseSerializer>(
        _ url: String, form parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .delete, url, form: parameters, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a form with DELETE and decodes the response. See ``request(_:_:form:query:headers:options:as:)``.
    public func delete<Value: Decodable>(
        _ url: String, form parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.delete, url, form: parameters, query: query, headers: headers, options: options)
    }
}
