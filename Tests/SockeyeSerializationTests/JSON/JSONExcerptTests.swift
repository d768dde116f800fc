import SockeyeCore
import SockeyeEssentials
import SockeyeSerialization
import SockeyeTestSupport
import Testing

@Suite struct JSONExcerptTests {
    private struct User: Decodable {
        struct Pet: Decodable { let kind: String }
        let userName: String
        let pets: [Pet]
        let joined: Date?
    }

    private func excerpt(_ text: String, convertsKeys: Bool = false) throws -> JSONError.Excerpt {
        let decoder = JSONDecoder()
        if convertsKeys { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        let error = #expect(throws: DecodingError.self) { try decoder.decode([User].self, from: Data(text.utf8)) }
        return JSONError.Excerpt(Bytes(text), for: try #require(error))
    }

    @Test("A value of the wrong type is shown at its place")
    func wrongType() throws {
        let text = #"[{"userName":"a","pets":[]},"# + "\n" + #" {"pets":[{"kind":"cat"},{"kind":7}],"userName":"b"}]"#
        let excerpt = try excerpt(text)
        #expect(excerpt.after.hasPrefix("7}]"))
        #expect(excerpt.line == 2)
        #expect(excerpt.column == 34)
        #expect(excerpt.offset == 62)
        let shown = text.replacing("\n", with: "␊").replacing("7}", with: "→7}")
        #expect(excerpt.description == "line 2, column 34: \(shown)")
    }

    @Test("A missing key is shown at the object that lacks it")
    func missingKey() throws {
        let excerpt = try excerpt("[{\"userName\":\"a\",\"pets\":[ {\"king\":1}]}]")
        #expect(excerpt.after == "{\"king\":1}]}]")
    }

    @Test("Escaped and converted keys are found, and an equal key is preferred to a similar one")
    func keys() throws {
        #expect(try excerpt("[{\"user\\u004eame\":1,\"pets\":[]}]").after.hasPrefix("1,"))
        #expect(try excerpt("[{\"pets\":[],\"user_name\": {} }]", convertsKeys: true).after.hasPrefix("{} }"))
        let path: [any CodingKey] = [AnyCodingKey(stringValue: "userName")]
        #expect(JSONError.Excerpt(Bytes("{\"user_name\":1,\"userName\":2}"), at: path).after == "2}")
        #expect(JSONError.Excerpt(Bytes("{\"user_name\":1,\"USERNAME\":2}"), at: path).after == "1,\"USERNAME\":2}")
    }

    @Test("A place below thousands of converted keys is found in linear time", .timeLimit(.minutes(1)))
    func convertedKeys() {
        let levels = 20_000
        let padding = String(repeating: "p", count: 2_000_000)
        let text =
            String(repeating: "{\"next_item\":", count: levels) + "{\"x\":7,\"p\":\"\(padding)\"}"
            + String(repeating: "}", count: levels)
        let path = Array(repeating: AnyCodingKey(stringValue: "nextItem"), count: levels)
        let excerpt = JSONError.Excerpt(Bytes(text), at: path + [AnyCodingKey(stringValue: "x")])
        #expect(excerpt.after.hasPrefix("7,"))
    }

    @Test("A place with a long key after thousands of other keys is found in linear time", .timeLimit(.minutes(1)))
    func longKey() {
        let name = String(repeating: "k", count: 200_000)
        let members = (0..<20_000).map { "\"m\($0)\":0," }.joined()
        let excerpt = JSONError.Excerpt(
            Bytes("{\(members)\"\(name)\":7}"), at: [AnyCodingKey(stringValue: name)])
        #expect(excerpt.after == "7}")
    }

    @Test("Malformed JSON is shown at the fault")
    func broken() throws {
        #expect(try excerpt("[{\"userName\":\"a\" \"pets\":[]}]").after == "\"pets\":[]}]")
        let truncated = try excerpt("[{\"userName\":\"a\",\"pets\":[{\"ki")
        #expect(truncated.after.isEmpty)
        #expect(truncated.before.hasSuffix("{\"ki"))
    }

    @Test("A date that cannot be parsed is shown at its place")
    func corrupted() throws {
        let excerpt = try excerpt("[{\"userName\":\"a\",\"pets\":[],\"joined\":\"soon\"}]")
        #expect(excerpt.after == "\"soon\"}]")
    }

    @Test("A path that leads nowhere ends at the innermost existing value")
    func nowhere() {
        let path: [any CodingKey] = [
            AnyCodingKey(stringValue: "a"), AnyCodingKey(intValue: 1), AnyCodingKey(stringValue: "b"),
        ]
        for (text, after) in [
            ("{\"a\":[0,{\"b\":5}]}", "5}]}"), ("{\"a\":[0,{\"c\":5}]}", "{\"c\":5}]}"), ("{\"a\":[0]}", "[0]}"),
            ("{\"a\":[0,", "[0,"), ("{\"a\":7}", "7}"), ("{\"c\":[]}", "{\"c\":[]}"), (" [1]", "[1]"), ("", ""),
            ("{\"a\":[\"x,]\\\"\",{\"b\"", "{\"b\""), ("{\"a", "{\"a"), ("{\"z\":[[{\"a\":1}],\"}\"],\"a\":0}", "0}"),
        ] {
            #expect(JSONError.Excerpt(Bytes(text), at: path).after == after, "\(text)")
        }
    }

    @Test("The excerpt of a text that was cut or randomly changed lies within the text")
    func cuts() {
        let path: [any CodingKey] = [AnyCodingKey(stringValue: "é"), AnyCodingKey(intValue: 2)]
        let text = Bytes("{\"x\":{\"y\":[\"\\\\\",{}]},\"\\u00e9\":[1,[2,\"]\"],{\"z\":\"😀\"}]}")
        for length in 0...text.count {
            #expect((0...length).contains(JSONError.Excerpt(text.slice(0..<length), at: path).offset))
        }
        var generator = SplitMix(seed: 3)
        for _ in 0..<500 {
            var noise = Array(text)
            for _ in 0..<3 {
                let position = Int.random(in: 0..<noise.count, using: &generator)
                noise[position] = UInt8.random(in: 0...255, using: &generator)
            }
            #expect((0...noise.count).contains(JSONError.Excerpt(Bytes(noise), at: path).offset))
        }
    }

    @Test("An excerpt shows up to 80 bytes on either side of its place, and no partial characters")
    func bounds() {
        let excerpt = JSONError.Excerpt(Bytes(String(repeating: "é", count: 100_000)), at: 100_000)
        #expect(excerpt.before == String(repeating: "é", count: 40))
        #expect(excerpt.after == excerpt.before)
        #expect(excerpt.description.contains(": …é"))
        #expect(excerpt.description.hasSuffix("é…"))
        let odd = JSONError.Excerpt(Bytes("a" + String(repeating: "😀", count: 100)), at: 201)
        #expect(odd.before == String(repeating: "😀", count: 20))
        let shifted = JSONError.Excerpt(Bytes("a" + String(repeating: "中", count: 100)), at: 151)
        #expect(shifted.before == String(repeating: "中", count: 26))
        #expect(shifted.after == String(repeating: "中", count: 26))
        #expect(JSONError.Excerpt(Bytes("abc"), at: -5).offset == 0)
        #expect(JSONError.Excerpt(Bytes("abc"), at: 99).before == "abc")
    }

    @Test("A description is one line without control characters")
    func controls() {
        let excerpt = JSONError.Excerpt(Bytes("a\u{9B}1m\u{2028}b\u{7F}\n"), at: 0)
        #expect(excerpt.description == "line 1, column 1: →a\u{FFFD}1m\u{FFFD}b␡␊")
    }

    @Test("Lines end with CR, LF or CRLF")
    func lines() {
        let excerpt = JSONError.Excerpt(Bytes("a\rb\nc\r\né\n\nx"), at: 12)
        #expect(excerpt.line == 6)
        #expect(excerpt.column == 2)
        #expect(JSONError.Excerpt(Bytes("a\r\n"), at: 2).line == 2)
    }
}
