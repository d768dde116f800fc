import Foundation
import Sockeye
import SockeyePropertyLists
import SockeyeTesting
import Testing

/// Calls with every kind of content and every kind of result.
@Suite("Typed calls")
struct TypedCallTests {
    private let ada = User(name: "Ada", age: 36)
    private let mock = MockTransport { request in
        var reply = ["method": request.method.rawValue, "target": request.path]
        reply["query"] = request.query
        reply["type"] = request["Content-Type"]
        reply["accept"] = request["Accept"]
        reply["body"] = request.text
        return .json(reply)
    }

    private var client: HTTPClient { HTTPClient(transport: mock).scoped(baseURL: "http://example.com/v1/") }

    @Test("a call with JSON returns a response, a decoded value or the result of a serializer")
    func json() async throws {
        let response = try await client.post("x", .json(ada), query: ["q": 1])
        #expect(response.status == .ok)
        let reply = try await client.put("x", .json(ada), headers: ["X": "1"], as: [String: String].self)
        #expect(reply["method"] == "PUT")
        #expect(reply["type"] == "application/json")
        #expect(reply["accept"] == "application/json")
        let sent = try JSONDecoder().decode(User.self, from: Data((reply["body"] ?? "").utf8))
        #expect(sent == ada)
        let patch = try await client.patch("x", .json(ada), as: .json)["method"]
        #expect(patch == "PATCH")
        let delete = try await client.delete("x", .json([1, 2]), as: .json)["body"]
        #expect(delete == "[1,2]")
        #expect(try await client.request(.post, "x", .json(ada), as: .json(NoContent.self)) == NoContent())
    }

    @Test("a JSON literal can mix types, nest and contain nil")
    func jsonLiteral() async throws {
        try await client.post("x", .json(["a": [1, "b", 2.5], "n": nil, "f": ["k": true]]))
        #expect(mock.requests.last?.text == "{\"a\":[1,\"b\",2.5],\"n\":null,\"f\":{\"k\":true}}")
        let reply = try await client.post("x", .json(["n": nil, "a": "1", "b": 1]), as: [String: String].self)
        #expect(reply["body"] == "{\"n\":null,\"a\":\"1\",\"b\":1}")
        let text = try await client.put("x", .json([nil, 1]), as: .json)
        #expect(text["body"] == "[null,1]")
    }

    @Test("a call can omit its content")
    func optionalContent() async throws {
        for content in [nil, HTTPClient.Content.text("t")] {
            try await client.request(.post, "x", content)
            #expect(mock.requests.last?.text == (content == nil ? "" : "t"))
        }
        try await client.put("x", nil)
        try await client.request(.options, "x")
        #expect(mock.requests.suffix(2).map(\.method) == [.put, .options])
    }

    @Test("a status is printed with its standard phrase, regardless of the server's")
    func statuses() async throws {
        let texts = [
            200: "200 OK", 404: "404 Not Found", 299: "299 Successful", 599: "599 Server Error", 699: "699 Unknown",
        ]
        for (code, text) in texts {
            let client = HTTPClient(transport: MockTransport { _ in .status(code) })
            let response = try await client.get("http://a.test/")
            #expect("\(response.status)" == text)
        }
    }

    @Test("a form is sent with its content type")
    func form() async throws {
        try await client.post("x", .form(["a": [1, 2], "f": ["k": "v"]]))
        #expect(mock.requests.last?.text == "a=1&a=2&f%5Bk%5D=v")
        #expect(mock.requests.last?["Content-Type"] == "application/x-www-form-urlencoded")
        let reply = try await client.put("x", .form(["a": 1]), as: [String: String].self)
        #expect(reply["body"] == "a=1")
        let patch = try await client.patch("x", .form(["a": 1]), as: .json)["method"]
        #expect(patch == "PATCH")
        try await client.delete("x", .form(["a": 1]))
        #expect(mock.requests.last?.text == "a=1")
        let delete = try await client.delete("x", .form(["a": 1]), as: [String: String].self)
        #expect(delete["method"] == "DELETE")
    }

    @Test("HEAD and OPTIONS can return typed values")
    func headAndOptions() async throws {
        _ = try await client.request(.head, "x", query: ["q": 1], as: NoContent.self)
        #expect(mock.requests.last?.method == .head)
        #expect(mock.requests.last?.query == "q=1")
        #expect(try await client.request(.head, "x", as: .json(User?.self)) == nil)
        _ = try await client.request(.head, "x", .parameters(["a": 1]), as: NoContent.self)
        #expect(mock.requests.last?.query == "a=1")
        let options = try await client.request(.options, "x", query: ["q": 1], as: [String: String].self)
        #expect(options["method"] == "OPTIONS")
        #expect(options["query"] == "q=1")
        let method = try await client.request(.options, "x", as: .json)["method"]
        #expect(method == "OPTIONS")
        let missing = HTTPClient.answering(.status(404))
        let error = await #expect(throws: SockeyeError.self) {
            _ = try await missing.request(.head, "http://example.com/", as: NoContent.self)
        }
        #expect(error?.code == .unacceptableStatus)
    }

    @Test("parameters are sent in the query or the body, as the method requires")
    func parameters() async throws {
        let get = try await client.request(.get, "x", .parameters(["a": 1]), query: ["q": 2], as: [String: String].self)
        #expect(get["query"] == "q=2&a=1")
        let post = try await client.post("x", .parameters(["a": 1]), query: ["q": 2], as: [String: String].self)
        #expect(post["query"] == "q=2")
        #expect(post["body"] == "a=1")
        let head = try await client.request(.head, "x", .parameters(["a": 1]))
        #expect(head.status == .ok)
    }

    @Test("a call can send a body of any kind and return a value")
    func body() async throws {
        let reply = try await client.post("x", .body("text"), as: [String: String].self)
        #expect(reply["body"] == "text")
        let put = try await client.put("x", .body("text"), as: .json)["body"]
        #expect(put == "text")
        let get = try await client.get("x", as: [String: String].self)
        #expect(get["target"] == "/v1/x")
    }

    @Test("Accept is the serializer's unless call or scope set one")
    func accept() async throws {
        _ = try await client.get("x", as: .json)
        #expect(mock.requests.last?["Accept"] == "application/json")
        _ = try await client.get("x", headers: [.accept: "text/json"], as: .json)
        #expect(mock.requests.last?["Accept"] == "text/json")
        _ = try await client.scoped(headers: [.accept: "application/hal+json"]).get("x", as: .json)
        #expect(mock.requests.last?["Accept"] == "application/hal+json")
        _ = try await client.get("x", as: .text)
        #expect(mock.requests.last?["Accept"] == nil)
        _ = try await client.get("x")
        #expect(mock.requests.last?["Accept"] == nil)
        _ = try await client.get("x", as: .compound(.propertyList(NoContent.self), .json(NoContent.self)))
        #expect(mock.requests.last?["Accept"] == "application/x-plist, application/json")
    }

    @Test("a value that cannot be encoded is an error, and nothing is sent")
    func unencodable() async throws {
        let error = await #expect(throws: SockeyeError.self) { try await client.post("x", .json(["a": Double.nan])) }
        #expect(error?.code == .encodingFailed)
        #expect(error?.underlying is EncodingError)
        #expect(error?.url == "http://example.com/v1/x")
        #expect(mock.requests.isEmpty)
    }

    @Test("a prepared request can be sent for a typed value")
    func request() async throws {
        let request = try OutgoingRequest(method: .put, url: "http://example.com/y", body: "b")
        let reply = try await client.send(request, as: [String: String].self)
        #expect(reply["method"] == "PUT")
        let target = try await client.send(request, as: .json)["target"]
        #expect(target == "/y")
    }
}
