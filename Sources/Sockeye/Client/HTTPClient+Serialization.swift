import HTTPTypes
public import SockeyeEngine
import SockeyeEssentials
import SockeyeHTTP
import SockeyeSerialization

// Encodes the content of requests, and makes values from responses. A client's scope (see `scoped`) has the base URL,
// the fields and the serializers for all requests of the client.
extension HTTPClient {
    /// Makes a request. Content that is not encoded yet is encoded with the settings of the scope's request serializer.
    package func makeRequest(
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
        // The scope's fields are added first. Most content adds Content-Type only if the field is missing, so a
        // Content-Type of the scope wins.
        return try content.added(to: scope.completing(request), by: scope.serialization)
    }

    /// Returns the fields of a call, with Accept added unless the call or the scope sets it.
    package func addingAccept(_ accept: String?, in headers: Headers) -> Headers {
        guard let accept, !headers.contains(.accept), !scope.headers.contains(.accept) else { return headers }
        // Most calls want JSON and have no fields of their own: they share one list.
        if headers.isEmpty, accept == Self.json { return Self.acceptingJSON }
        var headers = headers
        headers.append(.accept, accept)
        return headers
    }

    private static let json = "application/json"
    private static let acceptingJSON: Headers = [.accept: json]

    /// Sends a request and makes a value from the response.
    ///
    /// - Throws: The errors of ``send(_:)`` and ``IncomingResponse/value(as:)``.
    public func send<Serializer: ResponseSerializer>(
        _ request: OutgoingRequest, as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        var request = request
        request.headers = addingAccept(serializer.accept, in: request.headers)
        return try await send(request).value(as: serializer)
    }

    /// Sends a request and decodes the response with the scope's decoder, or as JSON if the scope has none.
    ///
    /// - Throws: The errors of ``send(_:)`` and ``IncomingResponse/value(as:)``.
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
