import Foundation
import SockeyeSerialization
import Testing

@Suite("Archived parameters")
struct ParameterCodableTests {
    @Test("parameters are encoded as the equivalent JSON")
    func json() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .iso8601
        let parameters = RequestParameters([
            "a": [1, 2.5, .null, true], "b": ["c": "d"], "s": .set([10, 9]), "t": .date(Date(timeIntervalSince1970: 0)),
            "u": .unsignedInteger(.max), "v": .decimal(Decimal(string: "0.1") ?? 0), "w": .data(Data([1])),
        ])
        let text = String(decoding: try encoder.encode(parameters), as: UTF8.self)
        #expect(
            text == """
                {"a":[1,2.5,null,true],"b":{"c":"d"},"s":[10,9],"t":"1970-01-01T00:00:00Z",\
                "u":18446744073709551615,"v":0.1,"w":"AQ=="}
                """)
    }

    @Test("numbers that JSON cannot express are errors, unless the encoder has texts for them")
    func nonFiniteNumbers() throws {
        let encoder = JSONEncoder()
        let values: [ParameterValue] = [.decimal(.nan), .double(.nan), .array([.decimal(.nan)])]
        for value in values {
            #expect(throws: EncodingError.self) { try encoder.encode(RequestParameters(["x": value])) }
        }
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let text = String(decoding: try encoder.encode(RequestParameters(["x": .decimal(.nan)])), as: UTF8.self)
        #expect(text == #"{"x":"nan"}"#)
    }

    @Test("JSON is decoded to the kinds of values that JSON has")
    func reading() throws {
        let text = #"{"a":[1,2.5,null,true,"x",18446744073709551615,{}],"b":{"c":-1}}"#
        let parameters = try JSONDecoder().decode(RequestParameters.self, from: Data(text.utf8))
        #expect(
            parameters.values == ["a": [1, 2.5, .null, true, "x", .unsignedInteger(.max), [:]], "b": ["c": -1]])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(RequestParameters.self, from: Data("[1]".utf8)) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(RequestParameters.self, from: Data("1".utf8)) }
    }

    @Test("property lists keep dates and data")
    func propertyLists() throws {
        let parameters = RequestParameters([
            "t": .date(Date(timeIntervalSince1970: 1)), "w": .data(Data([1, 2])), "n": [1, 1.5, true, "a"],
        ])
        let data = try PropertyListEncoder().encode(parameters)
        #expect(try PropertyListDecoder().decode(RequestParameters.self, from: data) == parameters)
    }
}
