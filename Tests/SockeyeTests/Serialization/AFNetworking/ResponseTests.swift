import Foundation
import Sockeye
import SockeyePropertyLists
import SockeyeTesting
import Testing

/// Each row is a behaviour of `AFJSONResponseSerializer`, `AFPropertyListResponseSerializer` or
/// `AFCompoundResponseSerializer`.
@Suite("AFNetworking: responses")
struct AFNetworkingResponseTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var behaviour: String
        var body: String
        /// Nil if an error is expected.
        var value: JSONValue?
        var options = JSONValue.ReadingOptions()
        var removesNulls = false

        var testDescription: String { behaviour }
    }

    static let rows = [
        Row(behaviour: "an object is read", body: "{\"a\":[1,true,null]}", value: ["a": [1, true, nil]]),
        Row(behaviour: "an empty body is null and not an error", body: "", value: .null),
        Row(behaviour: "a lone space is null and not an error", body: " ", value: .null),
        Row(behaviour: "two spaces are an error", body: "  ", value: nil),
        Row(behaviour: "a lone newline is an error", body: "\n", value: nil),
        Row(behaviour: "broken JSON is an error", body: "{\"a\":", value: nil),
        Row(behaviour: "trailing text is an error", body: "{} x", value: nil),
        Row(behaviour: "a fragment is read if allowed", body: "7", value: 7),
        Row(
            behaviour: "a fragment is an error if not allowed", body: "7", value: nil,
            options: JSONValue.ReadingOptions(allowsFragments: false)),
        Row(behaviour: "null is kept", body: "{\"a\":null}", value: ["a": nil]),
        Row(
            behaviour: "removesKeysWithNullValues drops keys, at every depth",
            body: "{\"a\":null,\"b\":{\"c\":null,\"d\":1},\"e\":[{\"f\":null}]}", value: ["b": ["d": 1], "e": [[:]]],
            removesNulls: true),
        Row(
            behaviour: "removesKeysWithNullValues drops null from arrays", body: "[null,{\"a\":null}]",
            value: [[:]], removesNulls: true),
        Row(
            behaviour: "removesKeysWithNullValues looks into arrays of arrays",
            body: "[[null,[{\"a\":null,\"b\":[null]}]]]", value: [[[["b": []]]]], removesNulls: true),
        Row(
            behaviour: "removesKeysWithNullValues keeps null at the top", body: "null", value: .null,
            removesNulls: true),
        Row(behaviour: "the last of equal keys wins", body: "{\"a\":1,\"a\":2}", value: ["a": 2]),
        Row(behaviour: "more than 512 levels are an error", body: String(repeating: "[", count: 513), value: nil),
        Row(behaviour: "a lone surrogate is an error", body: "[\"\\ud800\"]", value: nil),
        Row(behaviour: "all digits are kept", body: "[1e400]", value: .array([.number(JSONValue.Number("1e400")!)])),
    ]

    @Test("responses are read as in AFNetworking", arguments: rows)
    func json(row: Row) async throws {
        let response = try IncomingResponse.with(row.body)
        let serializer = BodySerializer<JSONValue>.json(options: row.options, removingNulls: row.removesNulls)
        do {
            #expect(try await response.value(as: serializer) == row.value)
        } catch {
            #expect(row.value == nil)
            #expect(error.code == .decodingFailed)
        }
    }

    @Test(
        "a property list is read under its content type, in XML or binary form",
        arguments: [PropertyListFormat.xml, .binary])
    func propertyList(format: PropertyListFormat) async throws {
        let list: PropertyListValue = ["name": "Ada", "age": 36, "data": .data(Data([1]))]
        let bytes = try list.propertyList(format)
        let client = HTTPClient.answering(.bytes(bytes, contentType: "application/x-plist"))
        #expect(try await client.get("http://example.com/", as: .propertyList) == list)
        let user = try await client.get("http://example.com/", as: .propertyList(User.self))
        #expect(user == User(name: "Ada", age: 36))
        let error = await #expect(throws: SockeyeError.self) {
            try await client.get("http://example.com/", as: .json)
        }
        #expect(error?.code == .unacceptableContentType)
    }

    @Test("an empty property list is nil for an optional type and otherwise an error")
    func emptyPropertyList() async throws {
        let response = try IncomingResponse.with("", type: nil)
        #expect(try await response.value(as: .propertyList(User?.self)) == nil)
        let error = await #expect(throws: SockeyeError.self) {
            try await IncomingResponse.with("", type: nil).value(as: .propertyList(User.self))
        }
        #expect(error?.code == .decodingFailed)
    }

    @Test(
        "a compound returns the value of the first serializer that succeeds",
        arguments: [("application/json", "{\"name\":\"Ada\",\"age\":36}"), ("application/x-plist", "<plist>…")])
    func compound(type: String, body: String) async throws {
        let list = "<plist><dict><key>name</key><string>Ada</string><key>age</key><integer>36</integer></dict></plist>"
        let response = try IncomingResponse.with(type == "application/json" ? body : list, type: type)
        let user = try await response.value(as: .compound(.propertyList(User.self), .json(User.self)))
        #expect(user == User(name: "Ada", age: 36))
    }

    @Test("if all serializers of a compound fail, the error is the bad status, or else has all their errors")
    func compoundFailure() async throws {
        let bad = try IncomingResponse.with("<p>", status: 500, type: "text/html")
        let status = await #expect(throws: SockeyeError.self) {
            try await bad.value(as: .compound(.propertyList(User.self), .json(User.self)))
        }
        #expect(status?.code == .unacceptableStatus)
        let other = try IncomingResponse.with("<p>", type: "text/html")
        let error = await #expect(throws: SockeyeError.self) {
            try await other.value(as: .compound(.propertyList(User.self), .json(User.self)))
        }
        #expect(error?.code == .decodingFailed)
        let errors = (error?.underlying as? SockeyeError.CompoundError)?.errors
        #expect(errors?.map(\.code) == [.unacceptableContentType, .unacceptableContentType])
    }

    @Test("a compound maps values of different types to one type")
    func compoundMapping() async throws {
        let response = try IncomingResponse.with("Ada", type: "text/plain")
        let name = try await response.value(as: .compound(BodySerializer.json(User.self).map(\.name), .text))
        #expect(name == "Ada")
    }
}
