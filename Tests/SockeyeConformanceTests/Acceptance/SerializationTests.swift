import Foundation
import Sockeye
import SockeyeTesting
import Testing

/// Decoding of responses and encoding of requests, over sockets.
@Suite(.timeLimit(.minutes(1))) struct SerializationTests {
    private let client = HTTPClient()

    private func response(_ status: Int, _ type: String, _ body: String) -> TestServerResponse {
        .bytes(Bytes(body), contentType: type, status: status)
    }

    @Test("serialize-01: valid JSON, invalid JSON, empty body, single blank, 204, 205, HEAD")
    func json() async throws {
        try await withTestServer { request in
            switch request.path {
            case "/valid": .bytes(Bytes("{\"a\": [1, 2]}"), contentType: "application/json")
            case "/invalid": .bytes(Bytes("{\"a\": [1, 2"), contentType: "application/json")
            case "/empty": .bytes(Bytes(), contentType: "application/json")
            case "/blank": .bytes(Bytes(" "), contentType: "application/json")
            case "/204": .status(204)
            default: .status(205)
            }
        } run: { server in
            let api = client.scoped(baseURL: server.url())
            let valid = try await api.get("valid", as: [String: [Int]].self)
            #expect(valid == ["a": [1, 2]])
            let broken = await failure { _ = try await api.get("invalid", as: [String: [Int]].self) }
            #expect((broken as? SockeyeError)?.code == .decodingFailed)
            for path in ["empty", "blank", "204", "205"] {
                let nothing = try await api.get(path, as: [String: [Int]]?.self)
                #expect(nothing == nil)
                let refused = await failure { _ = try await api.get(path, as: [String: [Int]].self) }
                #expect((refused as? SockeyeError)?.code == .decodingFailed)
            }
            let head = try await api.request(.head, "valid", as: [String: [Int]]?.self)
            #expect(head == nil)
        }
    }

    @Test(
        "serialize-02: text with charset utf-8, iso-8859-1, utf-16, none, unknown",
        arguments: [
            ("text/plain; charset=utf-8", [0xC3, 0xA9], "é"), ("text/plain; charset=iso-8859-1", [0xE9], "é"),
            ("text/plain; charset=utf-16", [0xFF, 0xFE, 0xE9, 0], "é"), ("text/plain", [0xC3, 0xA9], "é"),
            ("text/plain", [0xC3], "\u{FFFD}"), ("text/plain; charset=utf-16le", [0, 0xD8], "\u{FFFD}"),
            ("text/plain; charset=klingon", [0x61], nil),
        ] as [(String, [UInt8], String?)])
    func text(type: String, bytes: [UInt8], expected: String?) async throws {
        try await withTestServer { _ in
            .bytes(Bytes(bytes), contentType: type)
        } run: { server in
            do {
                let text = try await client.get(server.url(), as: .text)
                #expect(text == expected)
            } catch {
                #expect(expected == nil)
                #expect((error as? SockeyeError)?.code == .decodingFailed)
            }
        }
    }

    @Test("serialize-03: form and JSON parameters: nested, arrays, booleans, null, dates, empty")
    func parameters() async throws {
        let all: RequestParameters = [
            "nested": ["a": ["b": 1]], "list": [1, "x"] as ParameterValue, "yes": true, "nothing": .null,
            "date": Date(timeIntervalSinceReferenceDate: 0), "empty": [:] as ParameterValue,
        ]
        try await withTestServer { request in
            .text("\(request["Content-Type"] ?? "")\n\(try await request.text())")
        } run: { server in
            let api = client.scoped(baseURL: server.url())
            let form = try await api.scoped(requestSerializer: .form(.afNetworking)).post("x", .form(all), as: .text)
            let pairs =
                "date=2001-01-01%2000%3A00%3A00%20%2B0000&list%5B%5D=1&list%5B%5D=x&nested%5Ba%5D%5Bb%5D=1&nothing&yes=1"
            #expect(form == "application/x-www-form-urlencoded\n" + pairs)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            encoder.dateEncodingStrategy = .iso8601
            let json = try await api.scoped(requestSerializer: .json(encoder)).post("x", .parameters(all), as: .text)
            let object =
                "{\"date\":\"2001-01-01T00:00:00Z\",\"empty\":{},\"list\":[1,\"x\"],\"nested\":{\"a\":{\"b\":1}},"
            #expect(json == "application/json\n" + object + "\"nothing\":null,\"yes\":true}")
            let own = try await api.post("x", .form([:]), headers: [.contentType: "text/x"], as: .text)
            #expect(own == "text/x\n")
        }
    }

    @Test("validate-01: status ranges; content types with parameters and wildcards; empty body with a wrong type")
    func validation() async throws {
        let rows: [(Int, String, String, IncomingResponse.Validation, SockeyeError.Code?)] = [
            (200, "text/plain", "x", IncomingResponse.Validation(), nil),
            (404, "text/plain", "x", IncomingResponse.Validation(), .unacceptableStatus),
            (404, "text/plain", "x", IncomingResponse.Validation(statusCodes: StatusCodeSet(400...499)), nil),
            (200, "text/plain", "x", IncomingResponse.Validation(statusCodes: [201]), .unacceptableStatus),
            (200, "text/plain; charset=utf-8", "x", IncomingResponse.Validation(contentTypes: ["text/plain"]), nil),
            (200, "text/plain", "x", IncomingResponse.Validation(contentTypes: ["text/*"]), nil),
            (200, "text/plain", "x", IncomingResponse.Validation(contentTypes: ["*/*"]), nil),
            (
                200, "text/html", "x", IncomingResponse.Validation(contentTypes: ["text/plain", "image/*"]),
                .unacceptableContentType
            ),
            (200, "text/html", "", IncomingResponse.Validation(contentTypes: ["text/plain"]), nil),
            (500, "text/html", "x", IncomingResponse.Validation(contentTypes: ["text/plain"]), .unacceptableStatus),
        ]
        for (status, type, body, validation, code) in rows {
            let answer = response(status, type, body)
            try await withTestServer { _ in
                answer
            } run: { server in
                let error = await failure {
                    _ = try await client.get(
                        server.url(),
                        as: BodySerializer(handling: BodyHandling(validation: validation)) { body, _ in body })
                }
                #expect((error as? SockeyeError)?.code == code)
                let streamed = await failure { _ = try await client.get(server.url()).validated(validation) }
                #expect((streamed as? SockeyeError)?.code == code)
            }
        }
    }
}
