import Foundation
import Sockeye
import SockeyeTesting
import Testing

@Suite("Calls with a multipart form", .timeLimit(.minutes(1)))
struct MultipartCallTests {
    private struct Reply: Codable, Sendable, Equatable {
        var method: String
        var type: String?
        var length: Int?
        var body: String
    }

    private let client = HTTPClient(
        transport: MockTransport { request in
            let reply = Reply(
                method: request.method.rawValue, type: request.headers[.contentType], length: request.bodyLength,
                body: request.text)
            return .json(reply)
        })

    private func build(_ form: inout MultipartForm) throws {
        form = try MultipartForm(boundary: "b")
        form.field("a", "1")
    }

    private static let body = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n"

    private func expected(_ method: String) -> Reply {
        Reply(method: method, type: "multipart/form-data; boundary=b", length: Self.body.utf8.count, body: Self.body)
    }

    @Test("each verb takes a form and returns a decoded value or the result of a serializer")
    func verbs() async throws {
        let url = "http://x/"
        let values = [
            try await client.post(url, .multipart(build), as: Reply.self),
            try await client.put(url, .multipart(build), as: Reply.self),
            try await client.patch(url, .multipart(build), as: Reply.self),
            try await client.request(.delete, url, .multipart(build), as: Reply.self),
        ]
        #expect(values == ["POST", "PUT", "PATCH", "DELETE"].map(expected))
        let made = [
            try await client.post(url, .multipart(build), as: .json(Reply.self)),
            try await client.put(url, .multipart(build), as: .json(Reply.self)),
            try await client.patch(url, .multipart(build), as: .json(Reply.self)),
            try await client.request(.delete, url, .multipart(build), as: .json(Reply.self)),
        ]
        #expect(made == values)
        let plain = try await client.post(url, .multipart { $0.field("a", "1") })
        #expect(plain.status == .ok)
    }

    @Test("the Content-Type of the form overrides those of call and scope")
    func contentType() async throws {
        let scoped = client.scoped(baseURL: "http://x/", headers: [.contentType: "application/json"])
        let headers: Headers = [.contentType: "text/plain"]
        let reply = try await scoped.post("y", .multipart(build), headers: headers, as: Reply.self)
        #expect(reply == expected("POST"))
    }

    @Test("a form without parts sends a plain request")
    func empty() async throws {
        let reply = try await client.post("http://x/", .multipart { _ in }, as: Reply.self)
        #expect(reply == Reply(method: "POST", type: nil, length: 0, body: ""))
    }

    @Test("GET and HEAD with a form are refused", arguments: [HTTPRequest.Method.get, .head])
    func forbidden(method: HTTPRequest.Method) async {
        let error = await #expect(throws: SockeyeError.self) {
            _ = try await client.request(method, "http://x/", .multipart(build))
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.url == "http://x/")
    }

    @Test("an error of the form's closure becomes the underlying error, and an error of the library stays unchanged")
    func throwing() async {
        struct ClosureError: Error {}
        let foreign = await #expect(throws: SockeyeError.self) {
            _ = try await client.post("http://x/", .multipart { _ in throw ClosureError() })
        }
        #expect(foreign?.code == .encodingFailed)
        #expect(foreign?.underlying is ClosureError)
        let own = await #expect(throws: SockeyeError.self) {
            _ = try await client.post("http://x/", .multipart { try $0.file("f", at: "/nonexistent") })
        }
        #expect(own?.code == .bodyFailed)
    }
}
