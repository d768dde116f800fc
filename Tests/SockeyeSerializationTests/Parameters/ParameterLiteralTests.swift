import SockeyeEssentials
import SockeyeSerialization
import Testing

@Suite("Literals of parameters")
struct ParameterLiteralTests {
    private enum SortOrder: String, ParameterConvertible { case name, newest }
    private enum Level: Int, ParameterConvertible { case low, high }
    /// An enum without the conformance.
    private enum Plain: String { case first }
    private struct Other: Sendable {}

    @Test("literals omit nil at every level and keep null")
    func absence() throws {
        let maybe: String? = nil
        let parameters: RequestParameters = [
            "a": nil, "b": maybe, "c": ["d": nil, "e": 1], "f": [nil, "x"], "g": ["h": maybe, "i": "y"],
            "j": .null, "k": .dictionary(["l": maybe, "m": .null]), "n": .array([maybe, "z", .null]),
        ]
        #expect(
            parameters.values == [
                "c": ["e": 1], "f": ["x"], "g": ["i": "y"], "j": .null, "k": ["m": .null], "n": ["z", .null],
            ])
        #expect(try RequestParameters.Style.standard.encode(["a": nil, "b": .null, "c": 1]) == "b&c=1")
    }

    @Test("the last of equal names counts, even if it is nil")
    func last() {
        let parameters: RequestParameters = ["a": 1, "b": nil, "a": nil, "b": 2]
        #expect(parameters == ["b": 2])
    }

    private struct Search: Encodable {
        var page: Int?
        var name: String?
        var tags: [String?] = ["a", nil]
        var filter: [String: Int?] = ["x": 1, "y": nil]
    }

    @Test("literals and encodable values treat nil alike")
    func encodable() throws {
        let literal: RequestParameters = [
            "page": 2, "name": nil, "tags": ["a", nil], "filter": ["x": 1, "y": nil],
        ]
        #expect(try RequestParameters(Search(page: 2)) == literal)
    }

    @Test("literals can nest values of different types")
    func nesting() {
        let count = 3
        let parameters: RequestParameters = [
            "a": 1, "b": ["c": "x", "d": nil], "e": ["f": 1, "g": "y", "h": [true, 2.5, "z", count], "i": ["j": nil]],
            "k": [:], "l": [],
        ]
        #expect(
            parameters.values == [
                "a": 1, "b": ["c": "x"], "e": ["f": 1, "g": "y", "h": [true, 2.5, "z", 3], "i": [:]], "k": [:], "l": [],
            ])
    }

    @Test("literals accept enums with raw values")
    func enums() {
        let parameters: RequestParameters = [
            "sort": SortOrder.newest, "level": Level.high, "nested": ["sort": SortOrder.name, "plain": Plain.first],
            "all": [SortOrder.name, .newest], "some": SortOrder?.some(.name), "none": SortOrder?.none,
        ]
        #expect(
            parameters.values == [
                "sort": "newest", "level": 1, "nested": ["sort": "name", "plain": "first"],
                "all": ["name", "newest"], "some": "name",
            ])
    }

    @Test("encoding refuses values of other types in nested literals and names their place")
    func unsupported() throws {
        let parameters: RequestParameters = ["a": ["b": [1, Other()]]]
        #expect(parameters["a"] == ["b": [1, .unsupported(type: "Other")]])
        let error = try #require(throws: RequestParameters.EncodingError.self) {
            try RequestParameters.Style.standard.encode(parameters)
        }
        #expect(error.code == .unsupportedValue && error.path == ["a", "b", "1"])
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(parameters) }
    }

    @Test(
        "scalar values have a plain text",
        arguments: [
            ("x", "x"), (1, "1"), (1.5, "1.5"), (true, "true"),
            (.date(Date(timeIntervalSince1970: 0)), "1970-01-01T00:00:00Z"),
            (.data(Data([1])), "AQ=="), (.decimal(0.1), "0.1"), (.null, nil), ([1], nil), (["a": 1], nil),
            (.double(.infinity), nil), (.unsupported(type: "Other"), nil),
        ] as [(ParameterValue, String?)])
    func plainText(value: ParameterValue, text: String?) {
        #expect(value.plainText == text)
    }
}
