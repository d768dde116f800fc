import FoundationEssentials
import HTTPTypes
public import SockeyeEngine
import SockeyeHTTP
import SockeyeSerialization

// What all calls are made of: a request out of its parts, content for it, and a value out of the response.
extension HTTPClient {
    /// A request without content. Inlined with what it calls, as each would be a generic function of its own.
    @inline(__always)
    func makeRequest(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, query: RequestParameters, headers: Headers,
        options: OutgoingRequest.Options
    ) throws(SockeyeError) -> OutgoingRequest {
        OutgoingRequest(method: method, url: try target(url, query), headers: headers, options: options)
    }

    /// A request with a body, and no Content-Type for it.
    func makeRequest(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, query: RequestParameters, headers: Headers,
        body: OutgoingRequest.Body, options: OutgoingRequest.Options
    ) throws(SockeyeError) -> OutgoingRequest {
        OutgoingRequest(method: method, url: try target(url, query), headers: headers, body: body, options: options)
    }

    @inline(__always)
    private func target(_ url: some HTTPURL.Convertible, _ query: RequestParameters) throws(SockeyeError) -> HTTPURL {
        let target = try scope.resolve(url)
        guard !query.isEmpty else { return target }
        return try target.appending(query, style: scope.serialization?.queryStyle ?? .standard)
    }

    /// A request with content, encoded by the scope's serializers.
    func makeRequest(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, _ content: Content?, query: RequestParameters,
        headers: Headers, options: OutgoingRequest.Options
    ) throws(SockeyeError) -> OutgoingRequest {
        guard let content else {
            return try makeRequest(method, url, query: query, headers: headers, options: options)
        }
        if case .body(let body) = content.source, content.contentType == nil {
            return try makeRequest(method, url, query: query, headers: headers, body: body, options: options)
        }
        let request = try makeRequest(method, url, query: query, headers: headers, options: options)
        let scope = try scope.serving(request.url)
        // First, so that fields of the scope count as the request's.
        return try content.added(to: scope.completing(request), by: scope.serialization)
    }

    /// The fields of a call, and Accept unless call or scope have it.
    func addingAccept(_ accept: String?, in headers: Headers) -> Headers {
        guard let accept, !headers.contains(.accept), !scope.headers.contains(.accept) else { return headers }
        // Most calls want JSON and have no fields of their own: those share one list.
        if headers.isEmpty, accept == Self.json { return Self.acceptingJSON }
        var headers = headers
        headers.append(.accept, accept)
        return headers
    }

    private static let json = "application/json"
    private static let acceptingJSON: Headers = [.accept: json]

    /// Sends a request and makes a value of the response.
    ///
    /// - Throws: What ``send(_:)`` and ``IncomingResponse/value(as:)`` throw.
    public func send<Serializer: ResponseSerializer>(
        _ request: OutgoingRequest, as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        var request = request
        request.headers = addingAccept(serializer.accept, in: request.headers)
        return try await send(request).value(as: serializer)
    }

    /// Sends a request and decodes the response in the format of the scope, JSON unless it has another.
    ///
    /// - Throws: What ``send(_:)`` and ``IncomingResponse/value(as:)`` throw.
    public func send<Value: Decodable>(
        _ request: OutgoingRequest, as type: Value.Type
    ) async throws(SockeyeError) -> Value {
        guard let decoder = scope.serialization?.decoder else { return try await send(request, decodedBy: .json) }
        return try await send(request, decodedBy: decoder)
    }

    private func send<Value: Decodable>(
        _ request: OutgoingRequest, decodedBy decoder: some ResponseDecoder
    ) async throws(SockeyeError) -> Value {
        try await send(request, as: DecodedFormat(decoder: decoder))
    }
}
