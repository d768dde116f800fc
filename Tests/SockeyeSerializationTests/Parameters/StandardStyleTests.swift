import SockeyeEssentials
import SockeyeSerialization
import Testing

/// Rows in which the standard style differs from AFNetworking's. For readability they have `[` and `]` instead of `%5B`
/// and `%5D`.
@Suite("Standard parameter style")
struct StandardStyleTests {
    @Test("the style repeats the keys of arrays, and writes words for booleans and ISO 8601 dates", arguments: rows)
    func differences(row: StyleRow) throws {
        let text = row.text.replacing("[", with: "%5B").replacing("]", with: "%5D")
        #expect(try row.style.encode(row.parameters) == text)
    }

    private static let rows = [
        StyleRow("an array's key is repeated", .standard, ["k": ["b", "a", "b"]], "k=b&k=a&k=b"),
        StyleRow("an array in a dictionary", .standard, ["k": ["a": [1, 2]]], "k[a]=1&k[a]=2"),
        StyleRow("dictionaries in an array", .standard, ["k": [["a": 1], ["a": 2]]], "k[a]=1&k[a]=2"),
        StyleRow("a set", .standard, ["k": .set([2, 1])], "k=1&k=2"),
        StyleRow("an empty array vanishes", .standard, ["a": [], "b": 1], "b=1"),
        StyleRow("booleans", .standard, ["a": true, "b": false], "a=true&b=false"),
        StyleRow(
            "dates", .standard, ["k": .date(Date(timeIntervalSince1970: 1_700_000_000.9))],
            "k=2023-11-14T22%3A13%3A20Z"),
        StyleRow("data", .standard, ["k": .data(Data([0xFB, 0xFF]))], "k=%2B/8%3D"),
        StyleRow("null is a bare key", .standard, ["k": .null], "k"),
    ]
}
