import Sockeye
import SockeyeTesting

extension HTTPClient {
    /// A client whose every request gets `response`.
    static func answering(_ response: TestResponse) -> HTTPClient {
        HTTPClient(transport: MockTransport { _ in response })
    }
}

extension Response {
    /// A response to GET with this body.
    static func with(
        _ body: String = "", status: Int = 200, type: String? = "application/json"
    ) throws -> Response {
        var headers = HTTPFields()
        headers[.contentType] = type
        return Response(
            status: HTTPResponse.Status(code: status), headers: headers, body: Bytes(body),
            url: try HTTPURL("http://example.com/"))
    }
}

struct User: Codable, Equatable, Sendable {
    var name: String
    var age: Int
}
