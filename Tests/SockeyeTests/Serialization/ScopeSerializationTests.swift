import Foundation
import Sockeye
import SockeyePropertyLists
import SockeyeTesting
import Testing

@Suite("Serialization by scope")
struct ScopeSerializationTests {
    struct Event: Codable, Equatable, Sendable {
        var userName: String
        var date: Date
    }

    private let mock = MockTransport { request in
        .bytes(
            request.body.isEmpty ? Bytes("{}") : request.body,
            contentType: request["Content-Type"] ?? "application/json")
    }

    @Test("calls use the decoder and encoder of their scope")
    func coders() async throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        let api = HTTPClient(transport: mock).scoped(
            baseURL: "http://example.com/", requestSerializer: .json(encoder), decoder: .json(decoder))
        let event = Event(userName: "ada", date: Date(timeIntervalSince1970: 7))
        let echo = try await api.post("events", .json(event), as: Event.self)
        #expect(echo == event)
        #expect(mock.requests.first?.text.contains("\"user_name\":\"ada\"") == true)
    }

    @Test("a scope can use another format for requests and responses")
    func propertyList() async throws {
        let api = HTTPClient(transport: mock).scoped(
            baseURL: "http://example.com/", requestSerializer: .propertyList(.binary), decoder: .propertyList)
        let echo = try await api.post("x", .parameters(["a": 1]), as: [String: Int].self)
        #expect(echo == ["a": 1])
        #expect(mock.requests.first?["Accept"] == "application/x-plist")
    }

    @Test("the style of a scope encodes queries, forms and parameters")
    func style() async throws {
        let api = HTTPClient(transport: mock).scoped(
            baseURL: "http://example.com/", requestSerializer: .form(.afNetworking))
        try await api.post("x", .form(["a": [1, 2]]), query: ["q": [1, 2]])
        #expect(mock.requests.last?.text == "a%5B%5D=1&a%5B%5D=2")
        #expect(mock.requests.last?.query == "q%5B%5D=1&q%5B%5D=2")
        _ = try await api.get("x", query: ["q": [1, 2]])
        #expect(mock.requests.last?.query == "q%5B%5D=1&q%5B%5D=2")
    }

    @Test("inner scopes inherit all settings that they do not replace")
    func nesting() async throws {
        let outer = HTTPClient(transport: mock).scoped(
            baseURL: "http://example.com/", requestSerializer: .json, decoder: .propertyList)
        let inner = outer.scoped(baseURL: "v2/", headers: ["X": "1"])
        try await inner.post("x", .parameters(["a": 1]))
        #expect(mock.requests.last?.text == "{\"a\":1}")
        #expect(mock.requests.last?.path == "/v2/x")
        try await outer.scoped(requestSerializer: .form).post("x", .parameters(["a": 1]))
        #expect(mock.requests.last?.text == "a=1")
        let value = try await outer.scoped(requestSerializer: .propertyList)
            .post("x", .parameters(["a": 1]), as: PropertyListValue.self)
        #expect(value == ["a": 1])
        let json = try await outer.scoped(decoder: .json)
            .post("x", .parameters(["a": 1]), as: [String: Int].self)
        #expect(json == ["a": 1])
    }

    @Test("a Content-Type set by the scope is kept for any content")
    func contentType() async throws {
        let api = HTTPClient(transport: mock).scoped(
            baseURL: "http://example.com/", headers: [.contentType: "application/vnd.api+json"])
        let echo = try await api.post("x", .json(["a": 1]), as: [String: Int].self)
        #expect(echo == ["a": 1])
        #expect(mock.requests.last?["Content-Type"] == "application/vnd.api+json")
    }
}
