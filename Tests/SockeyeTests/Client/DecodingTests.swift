import Foundation
import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Calls with decoded results", .timeLimit(.minutes(1)))
struct DecodingTests {
    struct User: Codable, Equatable, Sendable {
        var name: String
        var age: Int
    }

    private let client = HTTPClient()

    @Test("a call whose result is Decodable returns the value")
    func get() async throws {
        try await withTestServer { request in
            #expect(request["Accept"] == "application/json")
            return .json(User(name: "Ada", age: 36))
        } run: { server in
            let user = try await client.get(server.url(), as: User.self)
            #expect(user == User(name: "Ada", age: 36))
        }
    }

    @Test("a value is sent as JSON and the response is decoded")
    func post() async throws {
        try await withTestServer { request in
            #expect(request["Content-Type"] == "application/json")
            var user = try await request.json(User.self)
            user.age += 1
            return .json(user, status: 201)
        } run: { server in
            let older = try await client.post(server.url(), .json(User(name: "Ada", age: 36)), as: User.self)
            #expect(older.age == 37)
        }
    }

    @Test("a bad status is an error that carries status, fields and body")
    func badStatus() async throws {
        try await withTestServer { _ in
            .text("no such user", status: 404, headers: [.retryAfter: "5"])
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                _ = try await client.get(server.url(), as: User.self)
            }
            #expect(error?.code == .unacceptableStatus)
            #expect(error?.response?.status == .notFound)
            #expect(error?.response?.headers[.retryAfter] == "5")
            #expect(error?.response.map { String(decoding: $0.body, as: UTF8.self) } == "no such user")
            #expect(error?.description.contains("no such user") == false)
        }
    }

    @Test("JSON of another shape is an error whose cause is the decoder's error")
    func badJSON() async throws {
        try await withTestServer { _ in
            .bytes("{\"name\": 1}".bytes, contentType: "application/json")
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                _ = try await client.get(server.url(), as: User.self)
            }
            #expect(error?.code == .decodingFailed)
            #expect(error?.underlying is DecodingError)
        }
    }

    @Test(
        "text is decoded by the charset of Content-Type, and as UTF-8 without one",
        arguments: [
            ("text/plain; charset=iso-8859-1", [0x63, 0x61, 0x66, 0xE9], "café"),
            ("text/plain", [0x63, 0x61, 0x66, 0xC3, 0xA9], "café"),
            ("text/plain; charset=utf-16le", [0x63, 0, 0xE9, 0], "cé"),
            ("text/plain; charset=\"UTF-8\"", [0xEF, 0xBB, 0xBF, 0x61], "a"),
            ("text/plain", [0x61, 0xFF], "a\u{FFFD}"),
        ] as [(String, [UInt8], String)])
    func text(type: String, bytes: [UInt8], expected: String) async throws {
        try await withTestServer { _ in
            TestServerResponse(headers: [.contentType: type], body: Bytes(bytes))
        } run: { server in
            let text = try await client.get(server.url()).text()
            #expect(text == expected)
        }
    }
}
