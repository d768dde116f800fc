import Foundation
import SockeyeArchiving
import Testing

@Suite("Archives of styles and options")
struct StyleArchivingTests {
    private static let styles = [
        RequestParameters.Style.standard, .afNetworking,
        .init(
            arrays: .repeated, sets: .likeArrays, nesting: .dots, booleans: .words, dates: .iso8601, data: .base64URL),
        .init(arrays: .indices, dates: .iso8601WithMilliseconds, data: .hexadecimal, nulls: .empty, nonFinite: .words),
        .init(dates: .secondsSince1970, nulls: .dropped, nonFinite: .null, keyCase: .snakeCase, spaces: .plus),
        .init(dates: .millisecondsSince1970, keyCase: .kebabCase, order: .ignoringCase),
        .init(keyCase: .lowercased), .init(keyCase: .uppercased), .init(keyCase: .capitalized),
    ]

    @Test("styles are read back unchanged", arguments: styles)
    func roundTrip(style: RequestParameters.Style) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(style)
        let copy = try JSONDecoder().decode(RequestParameters.Style.self, from: data)
        #expect(try encoder.encode(copy) == data)
        let parameters = RequestParameters([
            "aB": [1, true], "s": .set([1, 2]), "D e": ["f": .date(Date(timeIntervalSince1970: 1.5))],
            "x": .data(Data([0xFF, 0xFF, 0xFE])), "n": .null,
        ])
        #expect(try copy.encode(parameters) == style.encode(parameters))
    }

    @Test("a choice that a style's archive lacks is that of the standard style")
    func partial() throws {
        let style = try JSONDecoder().decode(RequestParameters.Style.self, from: Data(#"{"arrays":"indices"}"#.utf8))
        #expect(try style.encode(["a": [true], "b": .null]) == "a%5B0%5D=true&b")
    }

    @Test("the error for an unknown choice names the known ones")
    func unknown() throws {
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode(RequestParameters.Style.self, from: Data(#"{"arrays":"comma"}"#.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("another error: \(error)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["arrays"])
        #expect(context.debugDescription.contains("brackets, repeated, indices"))
    }

    private static let closures: [(String, RequestParameters.Style)] = [
        ("arrays", .init(arrays: .custom { key, _ in key })), ("nesting", .init(nesting: .custom { key, _ in key })),
        ("booleans", .init(booleans: .custom { _ in "" })), ("dates", .init(dates: .custom { _ in "" })),
        ("data", .init(data: .custom { _ in "" })), ("keyCase", .init(keyCase: .custom { $0 })),
        ("order", .init(order: .custom { $0 < $1 })),
    ]

    @Test("a closure cannot be archived", arguments: closures)
    func refusal(key: String, style: RequestParameters.Style) throws {
        let error = try #require(throws: EncodingError.self) { try JSONEncoder().encode(style) }
        guard case .invalidValue(_, let context) = error else { return }
        #expect(context.codingPath.map(\.stringValue) == [key])
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(RequestParameters.Style.custom { _ in "" }) }
    }

    @Test("JSON options are read back")
    func options() throws {
        let reading = JSONValue.ReadingOptions(
            duplicateKeys: .error, allowsFragments: false, maximumDepth: 3, maximumSize: 4)
        let writing: JSONValue.WritingOptions = [.prettyPrinted, .sortedKeys]
        #expect(try JSONDecoder().decode(JSONValue.ReadingOptions.self, from: JSONEncoder().encode(reading)) == reading)
        #expect(try JSONDecoder().decode(JSONValue.WritingOptions.self, from: JSONEncoder().encode(writing)) == writing)
    }
}
