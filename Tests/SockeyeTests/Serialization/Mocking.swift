import Sockeye
import SockeyeTesting

extension HTTPClient {
    /// Returns a client that answers every request with `response`.
    static func answering(_ response: TestServerResponse) -> HTTPClient {
        HTTPClient(transport: MockTransport { _ in response })
    }
}

extension IncomingResponse {
    /// Returns a response to a GET with this body.
    static func with(
        _ body: String = "", status: Int = 200, type: String? = "application/json"
    ) throws -> IncomingResponse {
        var headers = Headers()
        headers[.contentType] = type
        return IncomingResponse(
            status: HTTPResponse.Status(code: status), headers: headers, body: Bytes(body),
            url: try HTTPURL("http://example.com/"))
    }
}

struct User: Codable, Equatable, Sendable {
    var name: String
    var age: Int
}
