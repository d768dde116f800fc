public import FoundationEssentials
import HTTPTypes
public import SockeyeHTTP1
public import SockeyeSerialization

extension HTTPClient {
    /// Sends a GET request and decodes the JSON of a 2xx response.
    ///
    /// ```swift
    /// let user: User = try await api.get("users/1")
    /// ```
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/unacceptableStatus`` and
    ///   ``SockeyeError/Code-swift.struct/decodingFailed``, both with the response as evidence, and what
    ///   ``send(_:)`` throws.
    public func get<Value: Decodable>(
        _ url: String, query: Parameters = [:], headers: Headers = [:], options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        let response: Response = try await request(
            .get, url, query: query, headers: headers.merging(Self.acceptJSON), options: options)
        return try await response.validated().json()
    }

    /// Sends a value as JSON and returns the response.
    public func post(
        _ url: String, json value: some Encodable & Sendable, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Response {
        try await request(
            .post, url, query: query, headers: headers.merging(Self.jsonContent), body: .json(value),
            options: options)
    }

    /// Sends a value as JSON and decodes the JSON of a 2xx response.
    ///
    /// - Throws: As ``get(_:query:headers:options:)-swift.method``.
    public func post<Value: Decodable>(
        _ url: String, json value: some Encodable & Sendable, query: Parameters = [:], headers: Headers = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(SockeyeError) -> Value {
        let headers = headers.merging(Self.acceptJSON)
        let response: Response = try await post(url, json: value, query: query, headers: headers, options: options)
        return try await response.validated().json()
    }

    private static let acceptJSON: Headers = [.accept: "application/json"]
    private static let jsonContent: Headers = [.contentType: "application/json"]
}

extension RequestBody {
    /// A value encoded as JSON.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/bodyFailed`` with the encoder's error when it cannot be encoded.
    public static func json(
        _ value: some Encodable, encoder: JSONEncoder = JSONEncoder()
    ) throws(SockeyeError) -> RequestBody {
        do {
            return .bytes(try encoder.encode(value))
        } catch {
            var fields = SockeyeError.Fields(
                .bodyFailed, phase: .prepare, blame: .caller, message: "the value cannot be encoded as JSON")
            fields.underlying = error
            throw SockeyeError(fields)
        }
    }
}
