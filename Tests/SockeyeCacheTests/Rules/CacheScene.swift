import HTTPTypes
import Testing

@testable import SockeyeCache
@testable import SockeyeHTTP

/// Stored responses and requests for the tests of a cache's decisions.
enum CacheScene {
    /// 2026-01-01T00:00:00Z.
    static let start: Int64 = 1_767_225_600

    static func date(_ offset: Int64) -> String { HTTPDate(secondsSinceEpoch: start + offset).fieldValue }

    static func cacheRequest(
        _ method: HTTPRequest.Method = .get, _ url: String = "https://a.test/x", _ headers: Headers = [:],
        decodes: Bool = true, separators: [String] = [], userAgent: String? = nil
    ) throws -> CacheRequest {
        let cacheRequest = CacheRequest(
            method: method, url: try HTTPURL(url), headers: headers, decodes: decodes, separators: separators,
            userAgent: userAgent)
        return try #require(cacheRequest)
    }

    /// Returns a response of `length` bytes that was requested and received at `start`.
    static func stored(
        _ fields: [String: String] = [:], status: Int = 200, length: Int = 100, isDecoded: Bool = false,
        to cacheRequest: CacheRequest? = nil
    ) throws -> CachedResponse {
        var headers = Headers()
        for (name, value) in fields {
            headers.append(Headers.Name(name), value)
        }
        var response = CachedResponse(
            id: "1", status: status, reason: "", headers: headers, isDecoded: isDecoded,
            to: try cacheRequest ?? self.cacheRequest(), requestTime: start, responseTime: start)
        response.bodyLength = length
        return response
    }
}

extension CachedResponse {
    /// The stored response with its derived values.
    var derived: StoredResponse { StoredResponse(self) }
}
