public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

// Calls that send a multipart form.
extension HTTPClient {
    /// Sends a multipart form, with any method but GET and HEAD. The counterpart of
    /// `multipartFormRequestWithMethod:URLString:parameters:constructingBodyWithBlock:error:`.
    ///
    /// ```swift
    /// try await client.post("photos", multipart: { try $0.file(url, name: "file") })
    /// ```
    ///
    /// Content-Type is the form's, whatever call or scope have. A form without parts is sent as a request without a body.
    ///
    /// - Parameter build: Fills the form; see ``MultipartForm``. Called once, before anything is sent.
    /// - Returns: What the serializer makes of the response; without one, the response at its head.
    /// - Throws: ``SockeyeError/Code-swift.struct/invalidRequest`` for GET and HEAD,
    ///   ``SockeyeError/Code-swift.struct/encodingFailed`` for a part that cannot be sent and for what `build` throws besides
    ///   the library's own errors, and what ``send(_:)`` and ``Response/value(as:)`` throw.
    @discardableResult
    public func request<Serializer: ResponseSerializer>(
        _ method: HTTPRequest.Method, _ url: String, multipart build: (inout MultipartForm) throws -> Void,
        query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions(),
        as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        let request = try makeRequest(method, url, query: query, headers: headers, options: options)
        return try await send(adding(build, to: request), as: serializer)
    }

    /// Sends a multipart form, with any method but GET and HEAD, and decodes the response.
    /// See ``request(_:_:multipart:query:headers:options:as:)``.
    public func request<Value: Decodable>(
        _ method: HTTPRequest.Method, _ url: String, multipart build: (inout MultipartForm) throws -> Void,
        query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        let request = try makeRequest(method, url, query: query, headers: headers, options: options)
        return try await send(adding(build, to: request))
    }

    /// The request with a form as its content.
    func adding(
        _ build: (inout MultipartForm) throws -> Void, to request: Request
    ) throws(SockeyeError) -> Request {
        // First, so that Content-Type of the scope does not come after the form's.
        var request = try scope.serving(request.url).completing(request)
        do {
            var form = MultipartForm()
            try build(&form)
            try request.setBody(form)
        } catch {
            throw SockeyeError(.encodingFailed, wrapping: error, "the form could not be made", request: request)
        }
        return request
    }

    /// Sends a multipart form with POST. See ``request(_:_:multipart:query:headers:options:as:)``.
    @discardableResult
    public func post<Serializer: ResponseSerializer>(
        _ url: String, multipart build: (inout MultipartForm) throws -> Void, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions(),
        as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .post, url, multipart: build, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a multipart form with POST and decodes the response.
    /// See ``request(_:_:multipart:query:headers:options:as:)``.
    public func post<Value: Decodable>(
        _ url: String, multipart build: (inout MultipartForm) throws -> Void, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.post, url, multipart: build, query: query, headers: headers, options: options)
    }

    /// Sends a multipart form with PUT. See ``request(_:_:multipart:query:headers:options:as:)``.
    @discardableResult
    public func put<Serializer: ResponseSerializer>(
        _ url: String, multipart build: (inout MultipartForm) throws -> Void, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions(),
        as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .put, url, multipart: build, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a multipart form with PUT and decodes the response.
    /// See ``request(_:_:multipart:query:headers:options:as:)``.
    public func put<Value: Decodable>(
        _ url: String, multipart build: (inout MultipartForm) throws -> Void, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.put, url, multipart: build, query: query, headers: headers, options: options)
    }

    /// Sends a multipart form with PATCH. See ``request(_:_:multipart:query:headers:options:as:)``.
    @discardableResult
    public func patch<Serializer: ResponseSerializer>(
        _ url: String, multipart build: (inout MultipartForm) throws -> Void, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions(),
        as serializer: Serializer = PlainResponseSerializer()
    ) async throws(SockeyeError) -> Serializer.Value {
        try await request(
            .patch, url, multipart: build, query: query, headers: headers, options: options, as: serializer)
    }

    /// Sends a multipart form with PATCH and decodes the response.
    /// See ``request(_:_:multipart:query:headers:options:as:)``.
    public func patch<Value: Decodable>(
        _ url: String, multipart build: (inout MultipartForm) throws -> Void, query: Parameters = [:],
        headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        try await request(.patch, url, multipart: build, query: query, headers: headers, options: options)
    }
}
