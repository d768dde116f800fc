import Foundation
import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// A format that the library does not know. Ten lines below make it content and a result of calls.
private struct Point: Sendable, Equatable {
    var x: UInt8
    var y: UInt8
}

extension HTTPClient.Content {
    fileprivate static func point(_ point: Point) -> Self {
        Self(contentType: "application/x-point") {
            guard point.x < 100 else { throw Unencodable() }
            return .bytes([point.x, point.y])
        }
    }
}

private struct Unencodable: Error {}

extension ResponseSerializer where Self == BodySerializer<Point> {
    fileprivate static var point: Self {
        BodySerializer(accept: "application/x-point") { body, _ in Point(x: body[0], y: body[1]) }
    }
}

/// Arguments of calls, as variables of every usual type.
@Suite("Arguments of calls")
struct CallArgumentTests {
    private enum Order: String, ParameterConvertible { case name }
    private struct User: Codable, Sendable, Equatable { var name: String }

    private let mock = MockTransport { request in
        let type = request["Content-Type"] ?? "application/json"
        return .ok(request.text, headers: [.contentType: type])
    }
    private var client: HTTPClient { HTTPClient(transport: mock) }

    private func sent() throws -> MockRequest { try #require(mock.requests.last) }

    @Test("a URL can be text, an HTTPURL or Foundation's URL")
    func urls() async throws {
        let api = client.scoped(baseURL: URL(string: "http://h/v1"))
        _ = try await client.get("http://h/a")
        _ = try await client.get(try HTTPURL("http://h/b"))
        _ = try await client.get(try #require(URL(string: "http://h/c")))
        _ = try await api.get(try #require(URL(string: "d")))
        _ = try await api.get("e/f".prefix(1))
        #expect(mock.requests.map(\.path) == ["/a", "/b", "/c", "/v1/d", "/v1/e"])
    }

    @Test("a query takes variables of any usual type")
    func query() async throws {
        let (page, size, ratio, flag) = (2, UInt16(7), 0.5, true)
        let (tags, maybe, some) = (["a", "b"], String?.none, Int?.some(3))
        let id = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
        let name = "x y".prefix(1)
        _ = try await client.get(
            "http://h/",
            query: [
                "page": page, "size": size, "ratio": ratio, "flag": flag, "tags": tags, "q": maybe, "some": some,
                "id": id, "name": name, "order": Order.name, "at": Date(timeIntervalSinceReferenceDate: 0), "n": nil,
                "u": URL(string: "http://x/"), "f": ["k": page], "z": .null,
            ])
        #expect(
            try sent().query?.removingPercentEncoding
                == "at=2001-01-01T00:00:00Z&f[k]=2&flag=true&id=\(id.uuidString)&name=x&order=name&page=2&ratio=0.5"
                + "&size=7&some=3&tags=a&tags=b&u=http://x/&z")
    }

    @Test("JSON content can be a value, a nested literal or a literal with variables")
    func json() async throws {
        let (name, age, none) = ("Ada", 36, String?.none)
        let made = try await client.post("http://h/", .json(User(name: name)), as: User.self)
        #expect(made == User(name: "Ada"))
        try await client.post("http://h/", .json(["name": name, "age": age, "parent": nil, "boss": none]))
        #expect(
            try JSONValue(parsing: sent().body) == ["name": "Ada", "age": 36, "parent": nil, "boss": nil])
        #expect(try sent()["Content-Type"] == "application/json")
        try await client.post("http://h/", .json(["user": User(name: name), "tags": [1, "b"] as JSONValue]))
        #expect(try JSONValue(parsing: sent().body) == ["user": ["name": "Ada"], "tags": [1, "b"]])
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let born = Date(timeIntervalSince1970: 0)
        let api = client.scoped(requestSerializer: .json(encoder))
        try await api.post("http://h/", .json(["name": name, "born": born]))
        #expect(try JSONValue(parsing: sent().body)["born"]?.string == "1970-01-01T00:00:00Z")
    }

    @Test("a call sends forms, text, bytes and streams")
    func others() async throws {
        let (user, roles) = ("a", ["x", "y"])
        try await client.post("http://h/", .form(["user": user, "roles": roles]))
        #expect(try sent().text.removingPercentEncoding == "roles=x&roles=y&user=a")
        try await client.put("http://h/", .text("ü"))
        #expect(try sent()["Content-Type"] == "text/plain; charset=utf-8" && sent().text == "ü")
        try await client.put("http://h/", .bytes(Data("d".utf8)))
        #expect(try sent()["Content-Type"] == nil && sent().text == "d")
        try await client.put("http://h/", .stream(Elements([Data("ab".utf8), Data("c".utf8)]), length: 3))
        #expect(try sent().text == "abc")
        try await client.put("http://h/", .stream(Elements(["ü", "x"])))
        #expect(try sent().text == "üx")
        try await client.put("http://h/", .stream(Elements(Array("bytes".utf8)), length: 5, contentType: "a/b"))
        #expect(try sent().text == "bytes" && sent()["Content-Type"] == "a/b")
        try await client.put("http://h/", .text("x"), headers: [.contentType: "text/own"])
        #expect(try sent()["Content-Type"] == "text/own")
    }

    @Test("a custom format works as content and as a result")
    func own() async throws {
        let answer = try await client.post("http://h/", .point(Point(x: 1, y: 2)), as: .point)
        #expect(answer == Point(x: 1, y: 2))
        #expect(try sent()["Content-Type"] == "application/x-point" && sent()["Accept"] == "application/x-point")
        let error = await #expect(throws: SockeyeError.self) {
            try await client.post("http://h/", .point(Point(x: 100, y: 2)))
        }
        #expect(error?.code == .encodingFailed && error?.underlying is Unencodable && error?.method == "POST")
    }

    @Test("a missing file fails the call and not the creation of its content")
    func file() async throws {
        let content = HTTPClient.Content.file("/nowhere")
        let error = await #expect(throws: SockeyeError.self) { try await client.put("http://h/", content) }
        #expect(error?.code == .bodyFailed && error?.method == "PUT")
        #expect(mock.requests.isEmpty)
    }
}
