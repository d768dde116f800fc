public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

// Typed calls that treat some statuses, such as 404, as an answer and not as an error.
extension HTTPClient {
    /// Sends a GET request and decodes the response. Returns nil if the status of the response is in `statusCodes`.
    ///
    /// ```swift
    /// // User?
    /// let user = try await api.get("users/7", as: User.self, nilFor: [.notFound])
    /// ```
    ///
    /// - Parameters:
    ///   - url: An absolute URL, or one relative to the client's base.
    ///   - query: Parameters to append to the URL's query.
    ///   - headers: Fields of this call. They override the client's default fields of the same names.
    ///   - options: Deadlines, limits and policies of this call.
    ///   - type: The type of the value.
    ///   - statusCodes: The statuses for which the call returns nil. The content of such a response is not read.
    /// - Throws: The errors of ``request(_:_:_:query:headers:options:as:)-(_,_,_,_,_,_,Value.Type)``.
    public func get<Value: Decodable>(
        _ url: some HTTPURL.Convertible, query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), as type: Value.Type,
        nilFor statusCodes: StatusCodeSet
    ) async throws(SockeyeError) -> Value? {
        try await request(
            .get, url, query: query, headers: headers, options: options, as: type, nilFor: statusCodes)
    }

    /// Sends a request with any method and decodes the response. Returns nil if the status of the response is in
    /// `statusCodes`. See ``get(_:query:headers:options:as:nilFor:)``.
    @discardableResult
    public func request<Value: Decodable>(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, _ content: Content? = nil,
        query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), as type: Value.Type,
        nilFor statusCodes: StatusCodeSet
    ) async throws(SockeyeError) -> Value? {
        let request = try makeRequest(method, url, content, query: query, headers: headers, options: options)
        guard let decoder = scope.serialization?.decoder else {
            return try await send(request, decodedBy: JSONResponseDecoder(), nilFor: statusCodes)
        }
        return try await send(request, decodedBy: decoder, nilFor: statusCodes)
    }

    private func send<Value: Decodable>(
        _ request: OutgoingRequest, decodedBy decoder: some ResponseDecoder, nilFor statusCodes: StatusCodeSet
    ) async throws(SockeyeError) -> Value? {
        try await send(request, as: DecodedFormat(decoder: decoder).nilFor(statusCodes))
    }
}
