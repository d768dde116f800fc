import Foundation
import Sockeye
import SockeyeTesting
import Testing

@Suite("Decoding failures")
struct DecodingFailureTests {
    struct Order: Decodable {
        struct Item: Decodable { var price: Int }
        var items: [Item]
        var notes: [String: Int]?
    }

    private func failure(_ body: String) async throws -> SockeyeError {
        let response = try IncomingResponse.with(body)
        return try #require(
            await #expect(throws: SockeyeError.self) { try await response.value(as: .json(Order.self)) })
    }

    @Test("an error about a wrong type has the path and the position")
    func typeMismatch() async throws {
        let error = try await failure("{\"items\": [{\"price\": 1},\n {\"price\": \"secret\"}]}")
        #expect(error.code == .decodingFailed)
        #expect(error.decoding?.codingPath == "items[1].price")
        #expect(error.decoding?.excerpt?.contains("line 2, column 12") == true)
        #expect(error.decoding?.excerpt?.contains("secret") == true)
        #expect(
            error.message == "the body does not match the requested type: not a value of type Int at items[1].price")
        #expect(!error.description.contains("secret"))
        #expect(error.underlying is DecodingError)
        #expect(error.response?.body.isEmpty == false)
    }

    private struct BadRow: Error, CustomStringConvertible {
        let description: String
    }

    @Test("the error of a custom serializer is part of the message, shortened and escaped")
    func own() async throws {
        for text in ["row 3 has no price", "a\u{1B}b", String(repeating: "x", count: 1000)] {
            let serializer = BodySerializer { _, _ -> Int in throw BadRow(description: text) }
            let shown = text.prefix(256).replacing("\u{1B}", with: "\\u{1B}")
            let outcomes = [
                try await failure(of: serializer), try await failure(of: serializer.map { $0 }),
                try await failure(of: HeadSerializer(text: text)),
                try await failure(of: BodySerializer<Int>(decoder: RowDecoder(text: text))),
            ]
            for error in outcomes {
                #expect(error.message == "the serializer failed: \(shown)")
                #expect(error.description.contains(shown))
                #expect(error.code == .decodingFailed && error.underlying is BadRow)
            }
        }
        let empty = try await failure(of: BodySerializer<Int>(decoder: RowDecoder(text: "no rows")), body: "")
        #expect(empty.message == "the body is empty, but a value is required: no rows")
    }

    private struct HeadSerializer: ResponseSerializer {
        let text: String
        func value(of response: IncomingResponse) async throws -> Int { throw BadRow(description: text) }
    }

    private struct RowDecoder: ResponseDecoder {
        let text: String
        func decode<Value: Decodable>(_: Value.Type, from _: Bytes) throws -> Value { throw BadRow(description: text) }
    }

    private func failure(of serializer: some ResponseSerializer<Int>, body: String = "{}") async throws -> SockeyeError
    {
        let response = try IncomingResponse.with(body)
        return try #require(
            await #expect(throws: SockeyeError.self) { _ = try await response.value(as: serializer) })
    }

    @Test("an error about a missing key names the key")
    func keyNotFound() async throws {
        let error = try await failure("{\"items\": [{}]}")
        #expect(error.message == "the body does not match the requested type: the key 'price' is missing at items[0]")
        #expect(error.decoding?.codingPath == "items[0]")
    }

    @Test("keys from the body do not appear in descriptions")
    func discretion() async throws {
        let error = try await failure("{\"items\": [], \"notes\": {\"secret\": true}}")
        #expect(error.decoding?.codingPath == "notes.secret")
        #expect(error.message.hasSuffix("at notes.*"))
    }

    @Test(
        "an error about invalid JSON has the position",
        arguments: [
            "{\"items\": [", "{\"items\": [}", "{\"items\":\u{0}}", "[1,2", "nul", "{\"items\": [{\"price\": 1e999}]}",
            "{\"items\": [{\"price\": 99999999999999999999}]}",
        ])
    func broken(body: String) async throws {
        let error = try await failure(body)
        #expect(error.code == .decodingFailed)
        #expect(error.decoding?.excerpt != nil)
    }

    @Test("200 000 nested arrays are an error for a type and for a JSON value")
    func depth() async throws {
        let body = String(repeating: "[", count: 200_000)
        #expect(try await failure(body).code == .decodingFailed)
        let untyped = await #expect(throws: SockeyeError.self) {
            try await IncomingResponse.with(body).value(as: .json)
        }
        #expect((untyped?.underlying as? JSONError)?.kind == .tooDeep)
    }

    @Test(
        "513 brackets at the end of a body are an error with position, where Foundation's decoder crashes",
        arguments: [
            String(repeating: "[", count: 513), String(repeating: #"{"a":"#, count: 512) + "[",
            String(repeating: #"{"a":"#, count: 513), String(repeating: "[", count: 512) + "{",
        ])
    func manyBrackets(body: String) async throws {
        struct Anything: Decodable {}
        let error = try await failure(body)
        #expect(error.code == .decodingFailed && error.message.contains("nested deeper than"))
        #expect(error.decoding?.excerpt?.contains("line 1, column") == true)
        let client = HTTPClient.answering(.bytes(Bytes(body), contentType: "application/json"))
        await #expect(throws: SockeyeError.self) { _ = try await client.get("http://example.com/", as: Anything.self) }
        await #expect(throws: SockeyeError.self) {
            try await client.get("http://example.com/", as: .json(Anything.self))
        }
        await #expect(throws: SockeyeError.self) { try await client.get("http://example.com/").json(Anything.self) }
        let refused = HTTPClient.answering(.bytes(Bytes(body), contentType: "application/json", status: 400))
        let refusal = await #expect(throws: SockeyeError.self) {
            _ = try await refused.get("http://example.com/", as: Anything.self)
        }
        #expect(refusal?.response?.status == .badRequest && refusal?.response?.json == nil)
        #expect(throws: DecodingError.self) { try refusal?.response?.decoded(as: Anything.self) }
    }

    @Test("a string that is not UTF-8 is an error")
    func invalidUTF8() async throws {
        let client = HTTPClient.answering(.bytes([0x22, 0xFF, 0x22], contentType: "application/json"))
        let error = await #expect(throws: SockeyeError.self) {
            _ = try await client.get("http://example.com/", as: String.self)
        }
        #expect(error?.code == .decodingFailed)
    }

    @Test("a type decodes the first of equal keys; a JSON value keeps the last, or reading it fails if configured")
    func duplicateKeys() async throws {
        let body = "{\"a\": 1, \"a\": 2}"
        let typed = try await IncomingResponse.with(body).value(as: .json([String: Int].self))
        #expect(typed["a"] == 1)
        let untyped = try await IncomingResponse.with(body).value(as: .json)
        #expect(untyped["a"]?.int == 2)
        let strict = BodySerializer<JSONValue>.json(options: JSONValue.ReadingOptions(duplicateKeys: .error))
        let error = await #expect(throws: SockeyeError.self) { try await IncomingResponse.with(body).value(as: strict) }
        #expect((error?.underlying as? JSONError)?.kind == .duplicateKey)
    }

    @Test("huge numbers are kept in a JSON value, and are an error for a number type")
    func hugeNumbers() async throws {
        let body = "[\(String(repeating: "9", count: 5000)),1e400]"
        let value = try await IncomingResponse.with(body).value(as: .json)
        #expect(value[0]?.int == nil)
        #expect(value[1]?.double == nil)
        #expect(value.description == body)
        for type in [[Int].self, [Double].self] as [any Decodable.Type] {
            let error = await #expect(throws: SockeyeError.self) { try await Self.decode(body, as: type) }
            #expect(error?.code == .decodingFailed)
        }
    }

    private static func decode<Value: Decodable>(_ body: String, as type: Value.Type) async throws {
        _ = try await IncomingResponse.with(body).value(as: .json(type))
    }

    @Test("the message about invalid untyped JSON has kind and position, and no content")
    func untyped() async throws {
        let error = await #expect(throws: SockeyeError.self) {
            try await IncomingResponse.with("{\"secret\" 1}").value(as: .json)
        }
        #expect(error?.message == "the body is not acceptable JSON: unexpectedCharacter at line 1, column 11")
        #expect(error?.decoding?.excerpt?.contains("secret") == true)
    }

    @Test("an error keeps only the start of a large body")
    func large() async throws {
        let error = try await failure("[" + String(repeating: "1,", count: 100_000) + "x]")
        #expect(error.response?.body.count == 64 << 10)
    }
}
