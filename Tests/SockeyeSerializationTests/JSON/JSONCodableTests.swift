import SockeyeEssentials
import SockeyeSerialization
import Testing

@Suite struct JSONCodableTests {
    private struct Point: Codable, Equatable {
        var x: Int
        var y: Double
        var more: JSONValue?
    }

    @Test("Any decoder decodes a value, alone or as a property of a type")
    func decoding() throws {
        let text = #"{"x":1,"y":2.5,"more":{"a":[1,-2.5,true,false,null,"s",[],{}],"n":18446744073709551615}}"#
        let point = try JSONDecoder().decode(Point.self, from: Data(text.utf8))
        #expect(point.more == ["a": [1, -2.5, true, false, nil, "s", [], [:]], "n": JSONValue(UInt64.max)])
        let list = try PropertyListEncoder().encode(["a": [1, 2]])
        #expect(try PropertyListDecoder().decode(JSONValue.self, from: list) == ["a": [1, 2]])
    }

    @Test("An encoded value decodes to the same value")
    func encoding() throws {
        let value: JSONValue = ["a": [1, -2.5, true, false, nil, "s", [], [:]], "n": JSONValue(UInt64.max), "m": 1e20]
        let data = try JSONEncoder().encode(value)
        #expect(try JSONValue(parsing: data) == value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
        let point = Point(x: 1, y: 0.5, more: ["z": nil])
        #expect(try JSONValue(encoding: point) == ["x": 1, "y": 0.5, "more": ["z": nil]])
    }

    @Test("JSONDecoder keeps 38 digits of a number, and fails for a number beyond the range of Double")
    func digits() throws {
        let text = "12345678901234567890123456789012345678"
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)).string() == text)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data("1e400".utf8)) }
    }

    @Test("A number beyond the range of Double cannot be encoded")
    func unencodable() throws {
        let value = try JSONValue(parsing: "[1e400]")
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(value) }
    }

    @Test("A part of a value is decoded as a type, with the options of the decoder")
    func parts() throws {
        let value: JSONValue = ["points": [["x": 1, "y": 2], ["x": 3]], "day": "2024-05-06T07:08:09Z"]
        let point: Point? = try value["points"]?[0]?.decoded()
        #expect(point == Point(x: 1, y: 2))
        #expect(throws: DecodingError.self) { try value["points"]?.decoded(as: [Point].self) }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try value["day"]?.decoded(as: Date.self, with: decoder) == Date(timeIntervalSince1970: 1_714_979_289))
    }

    private static func nested(_ levels: Int, _ value: String, count: Int) -> String {
        String(repeating: "[", count: levels) + String(repeating: value + ",", count: count - 1) + value
            + String(repeating: "]", count: levels)
    }

    @Test("Many values in 490 nested arrays are decoded in linear time, or refused", .timeLimit(.minutes(1)))
    func deepValues() throws {
        let text = Self.nested(490, "1", count: 100_000)
        let isSame = try JSONDecoder().decode(JSONValue.self, checking: Data(text.utf8)).string() == text
        #expect(isSame)
        let member = Data("{\"x\":1,\"y\":2,\"more\":\(text)}".utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Point.self, checking: member) }
        let parameters = Data("{\"k\":\(Self.nested(190, "null", count: 1_000_000))}".utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(RequestParameters.self, checking: parameters) }
    }

    private struct Tree: Decodable {
        var value: JSONValue?
        var children: [Tree]?
    }

    @Test("Many values in the deepest nodes of a recursive type are refused", .timeLimit(.minutes(1)))
    func deepNodes() {
        let text =
            String(repeating: "{\"children\":[", count: 240)
            + Self.nested(1, "{\"value\":1}", count: 100_000).dropFirst().dropLast()
            + String(repeating: "]}", count: 240)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Tree.self, checking: Data(text.utf8)) }
    }

    @Test("Values in 20 nested arrays are decoded as a property of a type")
    func moderateDepth() throws {
        let text = Self.nested(20, "1", count: 2000)
        let point = try JSONDecoder().decode(
            Point.self, checking: Data("{\"x\":1,\"y\":2,\"more\":\(text)}".utf8))
        #expect(point.more?.string() == text)
    }

    @Test("A body of any shape keeps order, digits and the first of two equal keys, and follows the key strategy")
    func anyShape() throws {
        let text = Data(#"{"z_b":1e400,"a_c":1,"a_c":2}"#.utf8)
        #expect(try JSONDecoder().decode(JSONValue.self, checking: text).string() == #"{"z_b":1e400,"a_c":1}"#)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let converted = try decoder.decode(JSONValue.self, checking: Data(#"{"z_b":[{"a_c":1}]}"#.utf8))
        #expect(converted == ["zB": [["aC": 1]]])
    }
}
