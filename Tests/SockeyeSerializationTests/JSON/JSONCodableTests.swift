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
}
