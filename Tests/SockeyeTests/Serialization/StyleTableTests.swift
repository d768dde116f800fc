import Foundation
import Sockeye
import Testing

/// Generates the tables of parameter encodings in Serializers.md and compares them with the page.
@Suite("Tables of parameter styles")
struct StyleTableTests {
    struct Row: Sendable {
        let parameters: RequestParameters
        /// The literal as shown on the page.
        let code: String

        init(_ parameters: RequestParameters, _ code: String) {
            self.parameters = parameters
            self.code = code
        }
    }

    struct Choice: Sendable {
        let style: RequestParameters.Style
        let row: Row
        let code: String

        init(_ style: RequestParameters.Style, _ code: String, _ row: Row) {
            self.style = style
            self.row = row
            self.code = code
        }
    }

    private static let rows = [
        Row(["page": 2, "q": "a b"], #"["page": 2, "q": "a b"]"#),
        Row(["tags": ["a", "b"]], #"["tags": ["a", "b"]]"#),
        Row(["ids": Set([2, 1])], #"["ids": Set([2, 1])]"#),
        Row(["filter": ["name": "x", "min": 1]], #"["filter": ["name": "x", "min": 1]]"#),
        Row(["items": [["id": 1], ["id": 2]]], #"["items": [["id": 1], ["id": 2]]]"#),
        Row(["new": true], #"["new": true]"#),
        Row(["at": Date(timeIntervalSince1970: 0)], #"["at": Date(timeIntervalSince1970: 0)]"#),
        Row(["key": Data([1, 2])], #"["key": Data([1, 2])]"#),
        Row(["a": 1, "b": nil], #"["a": 1, "b": nil]"#),
        Row(["a": 1, "b": .null], #"["a": 1, "b": .null]"#),
    ]

    private static let choices = [
        Choice(.init(arrays: .brackets), ".init(arrays: .brackets)", rows[1]),
        Choice(.init(arrays: .indices), ".init(arrays: .indices)", rows[1]),
        Choice(.init(nesting: .dots), ".init(nesting: .dots)", rows[3]),
        Choice(.init(booleans: .digits), ".init(booleans: .digits)", rows[5]),
        Choice(.init(dates: .iso8601WithMilliseconds), ".init(dates: .iso8601WithMilliseconds)", rows[6]),
        Choice(.init(dates: .secondsSince1970), ".init(dates: .secondsSince1970)", rows[6]),
        Choice(.init(data: .hexadecimal), ".init(data: .hexadecimal)", rows[7]),
        Choice(.init(nulls: .empty), ".init(nulls: .empty)", rows[9]),
        Choice(.init(spaces: .plus), ".init(spaces: .plus)", rows[0]),
    ]

    private func cell(_ style: RequestParameters.Style, _ row: Row) throws -> String {
        "`\(try #require(try style.encode(row.parameters).removingPercentEncoding))`"
    }

    private func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test("the tables equal those of the article")
    func article() throws {
        var named = ["| parameters | `.standard` | `.afNetworking` |", "|---|---|---|"]
        for row in Self.rows {
            named.append("| `\(row.code)` | \(try cell(.standard, row)) | \(try cell(.afNetworking, row)) |")
        }
        var chosen = ["| style | parameters | text |", "|---|---|---|"]
        for choice in Self.choices {
            chosen.append("| `\(choice.code)` | `\(choice.row.code)` | \(try cell(choice.style, choice.row)) |")
        }
        let page = try text("Sources/Sockeye/Documentation.docc/Serializers.md")
        for table in [named, chosen] {
            let table = table.joined(separator: "\n")
            #expect(page.contains(table), "\(table)")
        }
    }

    @Test("the tables show the literals that are encoded")
    func literals() throws {
        let source = try text("Tests/SockeyeTests/Serialization/StyleTableTests.swift")
        for row in Self.rows { #expect(source.contains("Row(\(row.code), #\"\(row.code)\"#)")) }
        for choice in Self.choices { #expect(source.contains("Choice(\(choice.code), \"\(choice.code)\"")) }
    }
}
