import Foundation
import Sockeye
import SockeyePropertyLists
import SockeyeTesting
import Testing

/// Each row is a behaviour of `AFHTTPRequestSerializer`, `AFJSONRequestSerializer` or
/// `AFPropertyListRequestSerializer`. Queries have a table of their own, with ``RequestParameters/Style``.
@Suite("AFNetworking: requests")
struct AFNetworkingRequestTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var behaviour: String
        var serializer: any RequestSerializer = .form
        var method: HTTPRequest.Method = .post
        var url = "http://example.com/p"
        var headers: Headers = [:]
        var parameters: RequestParameters = ["b": 2, "a": "x y"]
        var target: String? = nil
        var type: String? = nil
        var body: String? = ""

        var testDescription: String { behaviour }
    }

    static let form = "application/x-www-form-urlencoded"
    static let rows = [
        Row(behaviour: "parameters of GET go into the query", method: .get, target: "/p?a=x%20y&b=2"),
        Row(behaviour: "parameters of HEAD go into the query", method: .head, target: "/p?a=x%20y&b=2"),
        Row(behaviour: "parameters of DELETE go into the query", method: .delete, target: "/p?a=x%20y&b=2"),
        Row(
            behaviour: "parameters are appended to an existing query with &", method: .get,
            url: "http://example.com/p?z=1",
            target: "/p?z=1&a=x%20y&b=2"),
        Row(
            behaviour: "parameters go before a fragment; AFNetworking put them after it", method: .get,
            url: "http://example.com/p#f", target: "/p?a=x%20y&b=2"),
        Row(behaviour: "without parameters the URL is unchanged", method: .get, parameters: [:], target: "/p"),
        Row(behaviour: "parameters of POST become a form", type: form, body: "a=x%20y&b=2"),
        Row(behaviour: "parameters of PUT become a form", method: .put, type: form, body: "a=x%20y&b=2"),
        Row(behaviour: "parameters of PATCH become a form", method: .patch, type: form, body: "a=x%20y&b=2"),
        Row(behaviour: "without parameters the form is empty", parameters: [:], type: form),
        Row(
            behaviour: "a Content-Type of the request is kept", headers: [.contentType: "text/x"], type: "text/x",
            body: "a=x%20y&b=2"),
        Row(
            behaviour: "the caller chooses the methods whose parameters go into the URL",
            serializer: .form(options: ParameterSerializer.Options(placement: .uri(for: [.post]))),
            target: "/p?a=x%20y&b=2"),
        Row(
            behaviour: "if only POST has its parameters in the URL, GET has a body",
            serializer: .form(options: ParameterSerializer.Options(placement: .uri(for: [.post]))), method: .get,
            type: form, body: "a=x%20y&b=2"),
        Row(
            behaviour: "the caller chooses the style of a form",
            serializer: .form(RequestParameters.Style(spaces: .plus)), type: form,
            body: "a=x+y&b=2"),
        Row(
            behaviour: "the style of a form can be a closure", serializer: .form(.custom { "\($0.count) parameters" }),
            type: form,
            body: "2 parameters"),
        Row(
            behaviour: "the charset (stringEncoding) applies to the form", serializer: .form(charset: .utf16),
            parameters: ["a": 1], type: form + "; charset=utf-16", body: nil),
        Row(
            behaviour: "parameters become a JSON object", serializer: sortedJSON, type: "application/json",
            body: "{\"a\":\"x y\",\"b\":2}"),
        Row(
            behaviour: "without parameters the JSON object is empty", serializer: .json, parameters: [:],
            type: "application/json", body: "{}"),
        Row(
            behaviour: "JSON keeps nesting, null and types", serializer: sortedJSON,
            parameters: ["a": [1, 2.5, true, .null] as ParameterValue, "f": ["k": "v"]], type: "application/json",
            body: "{\"a\":[1,2.5,true,null],\"f\":{\"k\":\"v\"}}"),
        Row(
            behaviour: "the JSON serializer writes parameters of GET into the query", serializer: .json, method: .get,
            target: "/p?a=x%20y&b=2"),
        Row(
            behaviour: "the JSON serializer keeps a Content-Type of the request", serializer: sortedJSON,
            headers: [.contentType: "application/vnd.x+json"], parameters: [:], type: "application/vnd.x+json",
            body: "{}"),
        Row(
            behaviour: "the property list serializer writes parameters of GET into the query",
            serializer: .propertyList, method: .get,
            target: "/p?a=x%20y&b=2"),
        Row(
            behaviour: "a property list has its own Content-Type", serializer: .propertyList,
            type: "application/x-plist",
            body: nil),
        Row(
            behaviour: "the property list serializer keeps a Content-Type of the request",
            serializer: .propertyList(.binary),
            headers: [.contentType: "application/x-bplist"], type: "application/x-bplist", body: nil),
    ]

    static var sortedJSON: ParameterSerializer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return .json(encoder)
    }

    @Test("parameters are serialized as in AFNetworking", arguments: rows)
    func serialize(row: Row) async throws {
        let mock = MockTransport { _ in .ok() }
        let client = HTTPClient(transport: mock).scoped(serializer: row.serializer)
        try await client.request(row.method, row.url, .parameters(row.parameters), headers: row.headers)
        let request = try #require(mock.requests.first)
        #expect(request.path + (request.query.map { "?" + $0 } ?? "") == row.target ?? "/p")
        #expect(request["Content-Type"] == row.type)
        if let body = row.body { #expect(String(decoding: request.body, as: UTF8.self) == body) }
    }

    @Test("a property list that was sent can be read back", arguments: [PropertyListFormat.xml, .binary])
    func propertyList(format: PropertyListFormat) async throws {
        let mock = MockTransport { _ in .ok() }
        let client = HTTPClient(transport: mock).scoped(requestSerializer: .propertyList(format))
        try await client.post(
            "http://example.com/", .parameters(["a": [1, "x"] as ParameterValue, "d": Data([1, 2])]))
        let body = try #require(mock.requests.first?.body)
        #expect(try PropertyListValue(propertyList: body) == ["a": [1, "x"], "d": .data(Data([1, 2]))])
    }

    @Test("a form with the charset UTF-16 is encoded in UTF-16")
    func utf16() async throws {
        let mock = MockTransport { _ in .ok() }
        let client = HTTPClient(transport: mock).scoped(requestSerializer: .form(charset: .utf16))
        try await client.post("http://example.com/", .parameters(["a": 1]))
        #expect(mock.requests.first?.body == [0xFE, 0xFF, 0, 0x61, 0, 0x3D, 0, 0x31])
    }

    @Test("fields and options of the serializer apply to requests without their own")
    func settings() async throws {
        var settings = ParameterSerializer.Options(headers: [
            "X-A": "serializer", "X-B": "serializer", "X-C": "serializer",
        ])
        settings.requestOptions = .timeout(total: .seconds(5))
        settings.requestOptions.isIdempotent = true
        let mock = MockTransport { _ in .ok() }
        let client = HTTPClient(transport: mock)
            .scoped(headers: ["X-A": "scope"], requestSerializer: .form(options: settings))
        var own = OutgoingRequest.Options()
        own.isIdempotent = false
        try await client.post("http://example.com/", .parameters([:]), headers: ["X-B": "call"], options: own)
        let request = try #require(mock.requests.first)
        #expect(request["X-A"] == "scope")
        #expect(request["X-B"] == "call")
        #expect(request["X-C"] == "serializer")
        #expect(request.options.isIdempotent == false)
        #expect(request.options.timeouts?.total == .seconds(5))
        #expect(request.options.decompresses == nil)
    }

    @Test(
        "parameters that cannot be encoded are an error, and nothing is sent",
        arguments: [
            (.form, ["a": Double.nan]), (.json, ["a": ["b": Double.infinity]]), (.propertyList, ["a": .null]),
        ] as [(RequestKind, RequestParameters)])
    func unencodable(kind: RequestKind, parameters: RequestParameters) async throws {
        let mock = MockTransport { _ in .ok() }
        let client = HTTPClient(transport: mock).scoped(serializer: kind.serializer)
        let error = await #expect(throws: SockeyeError.self) {
            try await client.post("http://example.com/", .parameters(parameters))
        }
        #expect(error?.code == .encodingFailed)
        #expect(error?.blame == .caller)
        #expect(error?.underlying != nil)
        #expect(mock.requests.isEmpty)
    }

    enum RequestKind: Sendable {
        case form, json, propertyList

        var serializer: any RequestSerializer {
            switch self {
            case .form: .form
            case .json: .json
            case .propertyList: .propertyList
            }
        }
    }
}

extension HTTPClient {
    fileprivate func scoped(serializer: any RequestSerializer) -> HTTPClient {
        scoped(requestSerializer: serializer)
    }
}
