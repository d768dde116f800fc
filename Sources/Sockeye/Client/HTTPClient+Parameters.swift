public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

// Calls that send parameters as the request serializer of the scope has it: in the URL for GET, HEAD and DELETE, else in
// the body.
extension HTTPClient {
    /// Sends parameters, with any method.
    ///
    /// The request serializer of the scope decides how, else ``HTTPRequestSerializer``: in the URL, as a form, as JSON and so
    /// on.
    ///
    /// - Returns: What the serializer makes of the response; without one, the response at its head.
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` for what the serializer refuses, and what ``send(_:)`` and
    ///   ``Response/value(as:)`` throw.
    @discardableResult
    public func request<Serializer: ResponseSerializer>(
        _ method: HTTPRequest.Method, _ url: String, parameters: Parameters, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions(),
        as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        let request = try makeRequest(method, url, query: query, headers: headers, options: options)
        return try await send(adding(.parameters(parameters), to: request), as: serializer)
    }

    /// Sends parameters, with any method, and decodes the response.
    /// See ``request(_:_:parameters:query:headers:options:as:)``.
    public func request<Value: Decodable>(
        _ method: HTTPRequest.Method, _ url: String, parameters: Parameters, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        let request = try makeRequest(method, url, query: query, headers: headers, options: options)
        return try await send(adding(.parameters(parameters), to: request))
    }

    /// Sends parameters with GET. See ``request(_:_:parameters:query:headers:options:as:)``.
    public func get<Serializer: ResponseSerializer>(
        _ url: String, parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .get, url, parameters: parameters, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends parameters with GET and decodes the response. See ``request(_:_:parameters:query:headers:options:as:)``.
    public func get<Value: Decodable>(
        _ url: String, parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.get, url, parameters: parameters, query: query, headers: headers, options: options)
    }

    /// Sends parameters with HEAD. See ``request(_:_:parameters:query:headers:options:as:)``.
    public func head<Serializer: ResponseSerializer>(
        _ url: String, parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .head, url, parameters: parameters, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends parameters with HEAD and validates the response; as that has no body, only types with a value for it make
    /// sense, such as ``NoContent``. See ``request(_:_:parameters:query:headers:options:as:)``.
    public func head<Value: Decodable>(
        _ url: String, parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.head, url, parameters: parameters, query: query, headers: headers, options: options)
    }

    /// Sends parameters with POST. See ``request(_:_:parameters:query:headers:options:as:)``.
    @discardableResult
    public func post<Serializer: ResponseSerializer>(
        _ url: String, parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .post, url, parameters: parameters, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends parameters with POST and decodes the response. See ``request(_:_:parameters:query:headers:options:as:)``.
    public func post<Value: Decodable>(
        _ url: String, parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.post, url, parameters: parameters, query: query, headers: headers, options: options)
    }

    /// Sends parameters with PUT. See ``request(_:_:parameters:query:headers:options:as:)``.
    @discardableResult
    public func put<Serializer: ResponseSerializer>(
        _ url: String, parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .put, url, parameters: parameters, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends parameters with PUT and decodes the response. See ``request(_:_:parameters:query:headers:options:as:)``.
    public func put<Value: Decodable>(
        _ url: String, parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.put, url, parameters: parameters, query: query, headers: headers, options: options)
    }

    /// Sends parameters with PATCH. See ``request(_:_:parameters:query:headers:options:as:)``.
    @discardableResult
    public func patch<Serializer: ResponseSerializer>(
        _ url: String, parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .patch, url, parameters: parameters, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends parameters with PATCH and decodes the response. See ``request(_:_:parameters:query:headers:options:as:)``.
    public func patch<Value: Decodable>(
        _ url: String, parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.patch, url, parameters: parameters, query: query, headers: headers, options: options)
    }

    /// Sends parameters with DELETE. See ``request(_:_:parameters:query:headers:options:as:)``.
    @discardableResult
    public func delete<Serializer: ResponseSerializer>(
        _ url: String, parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .delete, url, parameters: parameters, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends parameters with DELETE and decodes the response. See ``request(_:_:parameters:query:headers:options:as:)``.
    public func delete<Value: Decodable>(
        _ url: String, parameters: Parameters, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.delete, url, parameters: parameters, query: query, headers: headers, options: options)
    }
}
