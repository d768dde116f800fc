import SockeyeSerialization
import Testing

@Suite struct JSONLimitTests {
    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test("200 levels are read and 201 refused by default, and the limit can be raised")
    func depth() throws {
        var value = try JSONValue(parsing: Self.nested(200))
        for _ in 0..<199 { value = try #require(value[0]) }
        #expect(value == [])
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Self.nested(201)) }
        #expect(error?.kind == .tooDeep)
        #expect(error?.offset == 200)
        let options = JSONValue.ReadingOptions(maximumDepth: 512)
        #expect(throws: Never.self) { try JSONValue(parsing: Self.nested(512), options: options) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: Self.nested(513), options: options) }
    }

    @Test(
        "A hundred thousand brackets are an error and not a crash, whatever depth was allowed",
        arguments: [0, 1, 512, 100_000, Int.max])
    func brackets(maximumDepth: Int) {
        let options = JSONValue.ReadingOptions(maximumDepth: maximumDepth)
        let texts = [
            Self.nested(100_000), String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
            String(repeating: "[{\"a\":", count: 50_000),
        ]
        for text in texts {
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text, options: options) }
            #expect(error?.kind == .tooDeep)
        }
        #expect(throws: Never.self) { try JSONValue(parsing: "1", options: options) }
    }

    @Test("The deepest readable value can be compared, hashed, written and freed of nulls")
    func deepest() throws {
        let options = JSONValue.ReadingOptions(maximumDepth: .max)
        let half = JSONValue.ReadingOptions.depthLimit / 2
        let text = String(repeating: "[{\"a\":", count: half) + "0" + String(repeating: "}]", count: half)
        let value = try JSONValue(parsing: text, options: options)
        #expect(value.removingNulls() == value)
        #expect(value.hashValue == value.removingNulls().hashValue)
        #expect(value.string() == text)
    }

    @Test("Many adjacent containers do not count as nested")
    func siblings() throws {
        let value = try JSONValue(parsing: "[" + String(repeating: "[{}],", count: 10_000) + "[]]")
        #expect(value.array?.count == 10_001)
    }

    @Test("A text larger than the limit is not read at all")
    func size() throws {
        let options = JSONValue.ReadingOptions(maximumSize: 4)
        #expect(try JSONValue(parsing: "1234", options: options) == 1234)
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "12345", options: options) }
        #expect(error?.kind == .tooLarge)
        #expect(error?.message == "the text has 5 bytes, more than the maximumSize of 4 bytes")
    }

    @Test(
        "For a repeated key, the option duplicateKeys chooses the last value, the first value or an error",
        arguments: [3, 100])
    func duplicates(members: Int) throws {
        let others = (0..<members).map { ",\"k\($0)\":\($0)" }.joined()
        let text = "[{\"a\":1,\"b\":2\(others),\"a\":3,\"a\":4}]"
        let last = try #require(try JSONValue(parsing: text)[0]?.object)
        #expect(last["a"] == 4)
        #expect(last.first?.key == "a")
        #expect(last.count == members + 2)
        #expect(last["k\(members - 1)"] == JSONValue(members - 1))
        let first = try JSONValue(parsing: text, options: JSONValue.ReadingOptions(duplicateKeys: .firstWins))
        #expect(first[0]?["a"] == 1)
        #expect(first[0]?.object?.count == members + 2)
        let error = #expect(throws: JSONError.self) {
            try JSONValue(parsing: text, options: JSONValue.ReadingOptions(duplicateKeys: .error))
        }
        #expect(error?.kind == .duplicateKey)
        #expect(error?.excerpt.after == "\"a\":3,\"a\":4}]")
    }

    @Test("Keys are equal if their unescaped texts are equal, and may repeat in different objects")
    func sameKeys() throws {
        let options = JSONValue.ReadingOptions(duplicateKeys: .error)
        #expect(throws: JSONError.self) { try JSONValue(parsing: "{\"a\":1,\"\\u0061\":2}", options: options) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: "[{\"b\":{\"a\":1,\"a\":2}}]", options: options) }
        #expect(throws: Never.self) { try JSONValue(parsing: "[{\"a\":{\"a\":1}},{\"a\":2}]", options: options) }
    }
}
