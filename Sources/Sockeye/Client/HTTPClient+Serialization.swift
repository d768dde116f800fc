import FoundationEssentials
import HTTPTypes
public import SockeyeEngine
import SockeyeHTTP
import SockeyeSerialization

// What all calls are made of: a request out of its parts, content for it, and a value out of the response.
extension HTTPClient {
    func makeRequest(
        _ method: HTTPRequest.Method, _ url: String, query: Parameters, headers: Headers, body: RequestBody = .none,
        options: RequestOptions
    ) throws(SockeyeError) -> Request {
        var target = try scope.resolve(url)
        if !query.isEmpty { target = try target.appending(query, style: scope.serialization?.queryStyle ?? .standard) }
        return Request(method: method, url: target, headers: headers, body: body, options: options)
    }

    /// The same request with content that is encoded as the scope wants it.
    func adding(_ content: CallContent, to request: Request) throws(SockeyeError) -> Request {
        let scope = try scope.serving(request.url)
        // First, so that fields of the scope count as the request's.
        var request = scope.completing(request)
        do {
            switch content {
            case .json(let value):
                let serializer = scope.serialization?.requestSerializer as? JSONRequestSerializer
                request.body = try .json(value, encoder: serializer?.encoder)
                request.headers.setDefault(.contentType, "application/json")
            case .jsonValue(let value):
                request.body = .json(value)
                request.headers.setDefault(.contentType, "application/json")
            case .form(let parameters):
                var serializer = HTTPRequestSerializer(
                    settings: RequestSettings(queryStyle: scope.serialization?.queryStyle ?? .standard))
                if let own = scope.serialization?.requestSerializer as? HTTPRequestSerializer { serializer = own }
                request.body = try serializer.body(of: parameters)
                request.headers.setDefault(.contentType, serializer.contentType)
            case .parameters(let parameters):
                guard let serialization = scope.serialization else {
                    return try HTTPRequestSerializer().serialize(parameters, into: request)
                }
                return try serialization.serialize(parameters, into: request)
            }
        } catch {
            throw SockeyeError.encodingFailed("what is to be sent cannot be encoded", error)
                .about(RequestIdentity(method: request.method.rawValue, url: request.url))
        }
        return request
    }

    /// The fields of a call, and Accept unless call or scope have it.
    func asking(_ accept: String?, in headers: Headers) -> Headers {
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
    /// - Throws: What ``send(_:)`` and ``Response/value(as:)`` throw.
    public func send<Serializer: ResponseSerializer>(
        _ request: Request, as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        var request = request
        request.headers = asking(serializer.accept, in: request.headers)
        return try await send(request).value(as: serializer)
    }

    /// Sends a request and decodes the response in the format of the scope, JSON unless it has another.
    ///
    /// - Throws: What ``send(_:)`` and ``Response/value(as:)`` throw.
    public func send<Value: Decodable>(_ request: Request) async throws(SockeyeError) -> Value {
        guard let decoder = scope.serialization?.decoder else { return try await send(request, as: .json(Value.self)) }
        return try await send(request, decodedBy: decoder)
    }

    private func send<Value: Decodable>(
        _ request: Request, decodedBy decoder: some ResponseDecoder
    ) async throws(SockeyeError) -> Value {
        try await send(request, as: DecodableResponseSerializer(decoder: decoder))
    }
}

extension Headers {
    /// Sets a field unless there is one of that name.
    fileprivate mutating func setDefault(_ name: FieldName, _ value: String) {
        if !contains(name) { append(name, value) }
    }
}
