public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

extension HTTPClient {
    /// Sends a request with any method.
    ///
    /// - Parameters:
    ///   - method: The method, such as `.get` or `HTTPRequest.Method("PURGE")!`.
    ///   - url: An absolute URL, or one relative to the client's base.
    ///   - query: Parameters to append to the URL's query, in the style of the scope, else the standard one.
    ///   - headers: Fields of this request; they override the client's.
    ///   - body: The content.
    ///   - options: What this request sets differently.
    /// - Returns: The response, as soon as its head has arrived.
    /// - Throws: See ``send(_:)``.
    public func request(
        _ method: HTTPRequest.Method, _ url: String, query: Parameters = [:], headers: Headers = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Response {
        try await send(
            makeRequest(method, url, query: query, headers: headers, body: body, options: options))
    }

    /// Sends a GET request. See ``request(_:_:query:headers:body:options:)``.
    public func get(
        _ url: String, query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Response {
        try await request(.get, url, query: query, headers: headers, options: options)
    }

    /// Sends a HEAD request, whose response has no body. See ``request(_:_:query:headers:body:options:)``.
    public func head(
        _ url: String, query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Response {
        try await request(.head, url, query: query, headers: headers, options: options)
    }

    /// Sends a POST request. See ``request(_:_:query:headers:body:options:)``.
    @discardableResult
    public func post(
        _ url: String, query: Parameters = [:], headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Response {
        try await request(.post, url, query: query, headers: headers, body: body, options: options)
    }

    /// Sends a PUT request. See ``request(_:_:query:headers:body:options:)``.
    @discardableResult
    public func put(
        _ url: String, query: Parameters = [:], headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Response {
        try await request(.put, url, query: query, headers: headers, body: body, options: options)
    }

    /// Sends a PATCH request. See ``request(_:_:query:headers:body:options:)``.
    @discardableResult
    public func patch(
        _ url: String, query: Parameters = [:], headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Response {
        try await request(.patch, url, query: query, headers: headers, body: body, options: options)
    }

    /// Sends a DELETE request. See ``request(_:_:query:headers:body:options:)``.
    @discardableResult
    public func delete(
        _ url: String, query: Parameters = [:], headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Response {
        try await request(.delete, url, query: query, headers: headers, body: body, options: options)
    }

    /// Sends an OPTIONS request. See ``request(_:_:query:headers:body:options:)``.
    public func options(
        _ url: String, query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Response {
        try await request(.options, url, query: query, headers: headers, options: options)
    }
}
