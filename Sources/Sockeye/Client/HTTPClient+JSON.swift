public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

// Calls that send JSON: any `Encodable` value, or a literal, whose values may differ in type and be nested.
extension HTTPClient {
    /// Sends a value as JSON, with any method.
    ///
    /// ```swift
    /// try await api.post("items", json: item)
    /// let reply: Reply = try await api.post("items", json: item)
    /// let text = try await api.post("items", json: item, as: .text)
    /// ```
    ///
    /// The value is encoded by the ``JSONRequestSerializer`` of the scope, if it has one, else by a plain `JSONEncoder`.
    ///
    /// - Returns: What the serializer makes of the response; without one, the response at its head.
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` with the encoder's error, and what ``send(_:)`` and
    ///   ``Response/value(as:)`` throw.
    @discardableResult
    public func request<Serializer: ResponseSerializer>(
        _ method: HTTPRequest.Method, _ url: String, json value: some Encodable, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions(),
        as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        let request = try makeRequest(method, url, query: query, headers: headers, options: options)
        return try await send(adding(.json(value), to: request), as: serializer)
    }

    /// Sends a value as JSON, with any method, and decodes the response.
    /// See ``request(_:_:json:query:headers:options:as:)``.
    public func request<Value: Decodable>(
        _ method: HTTPRequest.Method, _ url: String, json value: some Encodable, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        let request = try makeRequest(method, url, query: query, headers: headers, options: options)
        return try await send(adding(.json(value), to: request))
    }

    /// Sends a value as JSON with POST. See ``request(_:_:json:query:headers:options:as:)``.
    @discardableResult
    public func post<Serializer: ResponseSerializer>(
        _ url: String, json value: some Encodable, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .post, url, json: value, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a value as JSON with POST and decodes the response. See ``request(_:_:json:query:headers:options:as:)``.
    public func post<Value: Decodable>(
        _ url: String, json value: some Encodable, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.post, url, json: value, query: query, headers: headers, options: options)
    }

    /// Sends a value as JSON with PUT. See ``request(_:_:json:query:headers:options:as:)``.
    @discardableResult
    public func put<Serializer: ResponseSerializer>(
        _ url: String, json value: some Encodable, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .put, url, json: value, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a value as JSON with PUT and decodes the response. See ``request(_:_:json:query:headers:options:as:)``.
    public func put<Value: Decodable>(
        _ url: String, json value: some Encodable, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.put, url, json: value, query: query, headers: headers, options: options)
    }

    /// Sends a value as JSON with PATCH. See ``request(_:_:json:query:headers:options:as:)``.
    @discardableResult
    public func patch<Serializer: ResponseSerializer>(
        _ url: String, json value: some Encodable, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .patch, url, json: value, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a value as JSON with PATCH and decodes the response. See ``request(_:_:json:query:headers:options:as:)``.
    public func patch<Value: Decodable>(
        _ url: String, json value: some Encodable, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.patch, url, json: value, query: query, headers: headers, options: options)
    }

    /// Sends a value as JSON with DELETE. See ``request(_:_:json:query:headers:options:as:)``.
    @discardableResult
    public func delete<Serializer: ResponseSerializer>(
        _ url: String, json value: some Encodable, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .delete, url, json: value, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a value as JSON with DELETE and decodes the response. See ``request(_:_:json:query:headers:options:as:)``.
    public func delete<Value: Decodable>(
        _ url: String, json value: some Encodable, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.delete, url, json: value, query: query, headers: headers, options: options)
    }

    /// Sends JSON, with any method.
    ///
    /// ```swift
    /// try await api.post("items", json: ["name": "coast", "tags": [1, "b"], "parent": nil])
    /// ```
    ///
    /// - Returns: What the serializer makes of the response; without one, the response at its head.
    /// - Throws: What ``send(_:)`` and ``Response/value(as:)`` throw.
    @discardableResult
    public func request<Serializer: ResponseSerializer>(
        _ method: HTTPRequest.Method, _ url: String, json value: JSONValue, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions(),
        as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        let request = try makeRequest(method, url, query: query, headers: headers, options: options)
        return try await send(adding(.jsonValue(value), to: request), as: serializer)
    }

    /// Sends JSON, with any method, and decodes the response.
    /// See ``request(_:_:json:query:headers:options:as:)``.
    public func request<Value: Decodable>(
        _ method: HTTPRequest.Method, _ url: String, json value: JSONValue, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        let request = try makeRequest(method, url, query: query, headers: headers, options: options)
        return try await send(adding(.jsonValue(value), to: request))
    }

    /// Sends JSON with POST. See ``request(_:_:json:query:headers:options:as:)``.
    @discardableResult
    public func post<Serializer: ResponseSerializer>(
        _ url: String, json value: JSONValue, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .post, url, json: value, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends JSON with POST and decodes the response. See ``request(_:_:json:query:headers:options:as:)``.
    public func post<Value: Decodable>(
        _ url: String, json value: JSONValue, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.post, url, json: value, query: query, headers: headers, options: options)
    }

    /// Sends JSON with PUT. See ``request(_:_:json:query:headers:options:as:)``.
    @discardableResult
    public func put<Serializer: ResponseSerializer>(
        _ url: String, json value: JSONValue, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .put, url, json: value, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends JSON with PUT and decodes the response. See ``request(_:_:json:query:headers:options:as:)``.
    public func put<Value: Decodable>(
        _ url: String, json value: JSONValue, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.put, url, json: value, query: query, headers: headers, options: options)
    }

    /// Sends JSON with PATCH. See ``request(_:_:json:query:headers:options:as:)``.
    @discardableResult
    public func patch<Serializer: ResponseSerializer>(
        _ url: String, json value: JSONValue, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .patch, url, json: value, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends JSON with PATCH and decodes the response. See ``request(_:_:json:query:headers:options:as:)``.
    public func patch<Value: Decodable>(
        _ url: String, json value: JSONValue, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.patch, url, json: value, query: query, headers: headers, options: options)
    }

    /// Sends JSON with DELETE. See ``request(_:_:json:query:headers:options:as:)``.
    @discardableResult
    public func delete<Serializer: ResponseSerializer>(
        _ url: String, json value: JSONValue, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions(), as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .delete, url, json: value, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends JSON with DELETE and decodes the response. See ``request(_:_:json:query:headers:options:as:)``.
    public func delete<Value: Decodable>(
        _ url: String, json value: JSONValue, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.delete, url, json: value, query: query, headers: headers, options: options)
    }
}
