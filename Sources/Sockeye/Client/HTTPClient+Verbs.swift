public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

// The HTTP methods. Each except HEAD has three forms. Without `as:` it returns the response as soon as the head has
// arrived. With a `Decodable` type it decodes the content, and with a serializer it makes a value from the response.

extension HTTPClient {
    /// Sends a request with any method.
    ///
    /// - Parameters:
    ///   - method: The method, such as `.options` or `HTTPRequest.Method("PURGE")!`.
    ///   - url: An absolute URL, or one relative to the client's base: text, an ``HTTPURL`` or Foundation's `URL`.
    ///   - content: The content to send. Default: none.
    ///   - query: Parameters to append to the URL's query, in the style of the client's request serializer. A client
    ///     without a request serializer uses the standard style.
    ///   - headers: Header fields of this request. They override the client's.
    ///   - options: Options of this request.
    /// - Returns: The response, as soon as its head has arrived, whatever its status.
    /// - Throws: ``SockeyeError/Code-swift.struct/invalidURL`` if the URL cannot be parsed or resolved,
    ///   ``SockeyeError/Code-swift.struct/encodingFailed`` if the content or the query cannot be encoded, and the
    ///   errors of ``send(_:)``.
    @discardableResult
    public func request(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, _ content: Content? = nil,
        query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) async throws(SockeyeError) -> IncomingResponse {
        try await send(makeRequest(method, url, content, query: query, headers: headers, options: options))
    }

    /// Sends a request with any method and makes a value from the response.
    ///
    /// ```swift
    /// let response = try await api.request(.get, "report", as: .bytes)
    /// ```
    ///
    /// - Parameters:
    ///   - method: The request method.
    ///   - url: An absolute URL, or one relative to the client's base.
    ///   - content: The content to send. Default: none.
    ///   - query: Parameters to append to the URL's query.
    ///   - headers: Header fields of this call. They override the client's.
    ///   - options: Deadlines, limits and policies of this call.
    ///   - serializer: Makes the value. It decides which responses are acceptable. Its Accept field is sent unless the
    ///     call or the client sets that field.
    /// - Throws: The errors of ``request(_:_:_:query:headers:options:)`` and ``IncomingResponse/value(as:)``.
    @discardableResult
    public func request<Serializer: ResponseSerializer>(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, _ content: Content? = nil,
        query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(),
        as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        let headers = addingAccept(serializer.accept, in: headers)
        return try await send(
            makeRequest(method, url, content, query: query, headers: headers, options: options)
        ).value(as: serializer)
    }

    /// Sends a request with any method and decodes the response.
    ///
    /// ```swift
    /// let user = try await api.get("users/1", as: User.self)
    /// ```
    ///
    /// The client's decoder decodes the content; a client without a decoder expects JSON. The decoder's
    /// ``ResponseDecoder/handling`` says which responses are accepted; for JSON these are responses with status 2xx and
    /// a JSON type. An optional type decodes an empty body as nil, and ``NoContent`` checks only the status.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/unacceptableStatus``,
    ///   ``SockeyeError/Code-swift.struct/unacceptableContentType`` or
    ///   ``SockeyeError/Code-swift.struct/decodingFailed``, each with the response in ``SockeyeError/response``. Also
    ///   the errors of ``request(_:_:_:query:headers:options:)``.
    @discardableResult
    public func request<Value: Decodable>(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, _ content: Content? = nil,
        query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(),
        as type: Value.Type
    ) async throws(SockeyeError) -> Value {
        guard scope.serialization?.decoder == nil else {
            return try await send(
                makeRequest(method, url, content, query: query, headers: headers, options: options), as: type)
        }
        return try await request(
            method, url, content, query: query, headers: headers, options: options, as: DecodedFormat(decoder: .json))
    }

    // MARK: GET and HEAD

    /// Sends a GET request. See ``request(_:_:_:query:headers:options:)``.
    public func get(
        _ url: some HTTPURL.Convertible, query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) async throws(SockeyeError) -> IncomingResponse {
        try await send(makeRequest(.get, url, query: query, headers: headers, options: options))
    }

    /// Sends a GET request and makes a value from the response.
    /// See ``request(_:_:_:query:headers:options:as:)-(_,_,_,_,_,_,Serializer)``.
    public func get<Serializer: ResponseSerializer>(
        _ url: some HTTPURL.Convertible, query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        let headers = addingAccept(serializer.accept, in: headers)
        return try await send(makeRequest(.get, url, query: query, headers: headers, options: options))
            .value(as: serializer)
    }

    /// Sends a GET request and decodes the response.
    /// See ``request(_:_:_:query:headers:options:as:)-(_,_,_,_,_,_,Value.Type)``.
    public func get<Value: Decodable>(
        _ url: some HTTPURL.Convertible, query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), as type: Value.Type
    ) async throws(SockeyeError) -> Value {
        guard scope.serialization?.decoder == nil else {
            return try await send(
                makeRequest(.get, url, query: query, headers: headers, options: options), as: type)
        }
        return try await get(url, query: query, headers: headers, options: options, as: DecodedFormat(decoder: .json))
    }

    /// Sends a HEAD request. The response has no body. See ``request(_:_:_:query:headers:options:)``.
    public func head(
        _ url: some HTTPURL.Convertible, query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) async throws(SockeyeError) -> IncomingResponse {
        try await send(makeRequest(.head, url, query: query, headers: headers, options: options))
    }

    // MARK: POST

    /// Sends a POST request. See ``request(_:_:_:query:headers:options:)``.
    @discardableResult
    public func post(
        _ url: some HTTPURL.Convertible, _ content: Content? = nil, query: RequestParameters = [:],
        headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) async throws(SockeyeError) -> IncomingResponse {
        try await request(.post, url, content, query: query, headers: headers, options: options)
    }

    /// Sends a POST request and makes a value from the response.
    /// See ``request(_:_:_:query:headers:options:as:)-(_,_,_,_,_,_,Serializer)``.
    @discardableResult
    public func post<Serializer: ResponseSerializer>(
        _ url: some HTTPURL.Convertible, _ content: Content? = nil, query: RequestParameters = [:],
        headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(.post, url, content, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a POST request and decodes the response.
    /// See ``request(_:_:_:query:headers:options:as:)-(_,_,_,_,_,_,Value.Type)``.
    @discardableResult
    public func post<Value: Decodable>(
        _ url: some HTTPURL.Convertible, _ content: Content? = nil, query: RequestParameters = [:],
        headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), as type: Value.Type
    ) async throws(SockeyeError) -> Value {
        try await request(.post, url, content, query: query, headers: headers, options: options, as: type)
    }

    // MARK: PUT

    /// Sends a PUT request. See ``request(_:_:_:query:headers:options:)``.
    @discardableResult
    public func put(
        _ url: some HTTPURL.Convertible, _ content: Content? = nil, query: RequestParameters = [:],
        headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) async throws(SockeyeError) -> IncomingResponse {
        try await request(.put, url, content, query: query, headers: headers, options: options)
    }

    /// Sends a PUT request and makes a value from the response.
    /// See ``request(_:_:_:query:headers:options:as:)-(_,_,_,_,_,_,Serializer)``.
    @discardableResult
    public func put<Serializer: ResponseSerializer>(
        _ url: some HTTPURL.Convertible, _ content: Content? = nil, query: RequestParameters = [:],
        headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(.put, url, content, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a PUT request and decodes the response.
    /// See ``request(_:_:_:query:headers:options:as:)-(_,_,_,_,_,_,Value.Type)``.
    @discardableResult
    public func put<Value: Decodable>(
        _ url: some HTTPURL.Convertible, _ content: Content? = nil, query: RequestParameters = [:],
        headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), as type: Value.Type
    ) async throws(SockeyeError) -> Value {
        try await request(.put, url, content, query: query, headers: headers, options: options, as: type)
    }

    // MARK: PATCH

    /// Sends a PATCH request. See ``request(_:_:_:query:headers:options:)``.
    @discardableResult
    public func patch(
        _ url: some HTTPURL.Convertible, _ content: Content? = nil, query: RequestParameters = [:],
        headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) async throws(SockeyeError) -> IncomingResponse {
        try await request(.patch, url, content, query: query, headers: headers, options: options)
    }

    /// Sends a PATCH request and makes a value from the response.
    /// See ``request(_:_:_:query:headers:options:as:)-(_,_,_,_,_,_,Serializer)``.
    @discardableResult
    public func patch<Serializer: ResponseSerializer>(
        _ url: some HTTPURL.Convertible, _ content: Content? = nil, query: RequestParameters = [:],
        headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(.patch, url, content, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a PATCH request and decodes the response.
    /// See ``request(_:_:_:query:headers:options:as:)-(_,_,_,_,_,_,Value.Type)``.
    @discardableResult
    public func patch<Value: Decodable>(
        _ url: some HTTPURL.Convertible, _ content: Content? = nil, query: RequestParameters = [:],
        headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), as type: Value.Type
    ) async throws(SockeyeError) -> Value {
        try await request(.patch, url, content, query: query, headers: headers, options: options, as: type)
    }

    // MARK: DELETE

    /// Sends a DELETE request. See ``request(_:_:_:query:headers:options:)``.
    @discardableResult
    public func delete(
        _ url: some HTTPURL.Convertible, _ content: Content? = nil, query: RequestParameters = [:],
        headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) async throws(SockeyeError) -> IncomingResponse {
        try await request(.delete, url, content, query: query, headers: headers, options: options)
    }

    /// Sends a DELETE request and makes a value from the response.
    /// See ``request(_:_:_:query:headers:options:as:)-(_,_,_,_,_,_,Serializer)``.
    @discardableResult
    public func delete<Serializer: ResponseSerializer>(
        _ url: some HTTPURL.Convertible, _ content: Content? = nil, query: RequestParameters = [:],
        headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(.delete, url, content, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a DELETE request and decodes the response.
    /// See ``request(_:_:_:query:headers:options:as:)-(_,_,_,_,_,_,Value.Type)``.
    @discardableResult
    public func delete<Value: Decodable>(
        _ url: some HTTPURL.Convertible, _ content: Content? = nil, query: RequestParameters = [:],
        headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), as type: Value.Type
    ) async throws(SockeyeError) -> Value {
        try await request(.delete, url, content, query: query, headers: headers, options: options, as: type)
    }
}
