import Sockeye
import SockeyeEngine
import SockeyeTesting
import Testing

/// Each row is a behaviour of `-validateResponse:data:error:` of `AFHTTPResponseSerializer`.
@Suite("AFNetworking: validation")
struct AFNetworkingValidationTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var behaviour: String
        var status = 200
        var type: String? = "application/json"
        var body = "{\"a\":1}"
        /// The code of the error and of its cause; empty if the response is acceptable.
        var codes: [SockeyeError.Code] = []

        var testDescription: String { behaviour }
    }

    static let rows = [
        Row(behaviour: "200 is acceptable"), Row(behaviour: "299 is acceptable", status: 299),
        Row(behaviour: "199 is not acceptable", status: 199, codes: [.unacceptableStatus]),
        Row(behaviour: "300 is not acceptable", status: 300, codes: [.unacceptableStatus]),
        Row(behaviour: "404 is not acceptable", status: 404, codes: [.unacceptableStatus]),
        Row(
            behaviour: "500 without a body is not acceptable", status: 500, type: nil, body: "",
            codes: [.unacceptableStatus]),
        Row(behaviour: "204 without type and body is acceptable", status: 204, type: nil, body: ""),
        Row(behaviour: "application/json is acceptable"), Row(behaviour: "text/json is acceptable", type: "text/json"),
        Row(behaviour: "text/javascript is acceptable", type: "text/javascript"),
        Row(behaviour: "parameters of the type are ignored", type: "application/json; charset=utf-8"),
        Row(behaviour: "the case of the type is ignored", type: "Application/JSON"),
        Row(behaviour: "another type is not acceptable", type: "text/html", codes: [.unacceptableContentType]),
        Row(
            behaviour: "a type that only begins like JSON is not acceptable", type: "application/jsonp",
            codes: [.unacceptableContentType]),
        Row(behaviour: "content without a type is not acceptable", type: nil, codes: [.unacceptableContentType]),
        Row(behaviour: "an invalid type is not acceptable", type: "json", codes: [.unacceptableContentType]),
        Row(behaviour: "an empty body without a type is acceptable", type: nil, body: ""),
        Row(behaviour: "an empty body of another type is acceptable", type: "text/html", body: ""),
        Row(
            behaviour: "a bad status and a bad type are two errors, and the status encloses the type", status: 500,
            type: "text/html", codes: [.unacceptableStatus, .unacceptableContentType]),
        Row(
            behaviour: "a bad status with a bad type and an empty body is an error of the status alone", status: 500,
            type: "text/html",
            body: "", codes: [.unacceptableStatus]),
        // An addition to AFNetworking: structured syntax suffixes are JSON, too.
        Row(behaviour: "a suffix of +json is acceptable", type: "application/problem+json"),
        Row(behaviour: "the last of a list of types counts", type: "text/html, application/json"),
        Row(
            behaviour: "a list that ends in another type is not acceptable", type: "application/json, text/html",
            codes: [.unacceptableContentType]),
    ]

    @Test("responses are validated as in AFNetworking", arguments: rows)
    func validate(row: Row) async throws {
        let response = try IncomingResponse.with(row.body, status: row.status, type: row.type)
        do {
            _ = try await response.value(as: .json)
            #expect(row.codes.isEmpty)
        } catch {
            #expect(error.code == row.codes.first)
            #expect((error.underlying as? SockeyeError)?.code == row.codes.dropFirst().first)
            #expect(error.response?.status.code == row.status)
            #expect(error.response.map { String(decoding: $0.body, as: UTF8.self) } == row.body)
            #expect(error.url == "http://example.com/")
        }
    }

    @Test("a serializer can accept a status of 418, a wildcard of types, or any type")
    func settings() async throws {
        let teapot = try IncomingResponse.with("{}", status: 418, type: "text/x-tea")
        let serializer = BodySerializer<JSONValue>.json.accepting(
            statusCodes: StatusCodeSet.successful.union([418]), contentTypes: ["text/*"])
        #expect(try await teapot.value(as: serializer) == .object([:]))

        let untyped = try IncomingResponse.with("{}", type: nil)
        #expect(try await untyped.value(as: .json.acceptingAnyContentType()) == .object([:]))
    }

    @Test("the error about an unacceptable status has the JSON of the response")
    func problem() async throws {
        let response = try IncomingResponse.with("{\"code\":17}", status: 422)
        let error = await #expect(throws: SockeyeError.self) { try await response.value(as: .json(User.self)) }
        #expect(error?.response?.json?["code"]?.int == 17)
        let decoded: [String: Int]? = try error?.response?.decoded()
        #expect(decoded == ["code": 17])
    }

    @Test(
        "the error about an unacceptable status keeps a body that is not JSON",
        arguments: ["", " ", "{\"code\":", "<html>", "\u{0}"])
    func noProblem(body: String) async throws {
        let response = try IncomingResponse.with(body, status: 500)
        let error = await #expect(throws: SockeyeError.self) { try await response.value(as: .json(User.self)) }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.response?.json == nil)
        #expect(error?.response?.body == Bytes(body))
    }

    @Test("the error about an unacceptable type does not parse the body as JSON")
    func mistyped() async throws {
        let response = try IncomingResponse.with("{\"code\":17}", type: "text/html")
        let error = await #expect(throws: SockeyeError.self) { try await response.value(as: .json(User.self)) }
        #expect(error?.code == .unacceptableContentType)
        #expect(error?.response?.json == nil)
    }

    @Test("the body in an error is cut to 64 KiB, and no more is read")
    func evidence() async throws {
        let endless = HTTPClient.answering(.source(length: nil, status: 500))
        let error = await #expect(throws: SockeyeError.self) {
            _ = try await endless.get("http://example.com/", as: User.self)
        }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.response?.body.count == 64 << 10)
    }

    @Test(
        "a body that cannot be read is the cause of the error about the status, unless the call was cancelled",
        arguments: [
            (.connectionClosed, .unacceptableStatus), (.timeout, .unacceptableStatus), (.cancelled, .cancelled),
        ] as [(SockeyeError.Code, SockeyeError.Code)])
    func unreadable(failure: SockeyeError.Code, code: SockeyeError.Code) async throws {
        let broken = SockeyeError(.init(failure, phase: .body, blame: .peer, message: "broken"))
        let mock = MockTransport { _ in
            .stream(AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: broken) }, status: 500)
        }
        let client = HTTPClient(transport: mock)
        let decoded = await #expect(throws: SockeyeError.self) {
            _ = try await client.get("http://example.com/", as: User.self)
        }
        let validated = await #expect(throws: SockeyeError.self) {
            _ = try await client.get("http://example.com/").validated()
        }
        for error in [decoded, validated] {
            #expect(error?.code == code)
            guard code == .unacceptableStatus else { continue }
            #expect(error?.response?.status == .internalServerError)
            #expect((error?.underlying as? SockeyeError)?.code == failure)
        }
    }

    @Test("a response can be validated without reading its body")
    func stream() async throws {
        let good = try await IncomingResponse.with("{}").validated(
            IncomingResponse.Validation(contentTypes: ["application/json"]))
        #expect(try await good.text() == "{}")
        let bad = try IncomingResponse.with("<p>", type: "text/html")
        let error = await #expect(throws: SockeyeError.self) {
            try await bad.validated(IncomingResponse.Validation(contentTypes: ["application/json"]))
        }
        #expect(error?.code == .unacceptableContentType)
        let empty = try IncomingResponse.with("", type: "text/html")
        _ = try await empty.validated(IncomingResponse.Validation(contentTypes: ["application/json"]))
    }
}
