import SockeyeEssentials
import SockeyeSerialization
import Testing

@Suite("Parameter style errors")
struct StyleErrorTests {
    private struct Refusal: Error {}

    struct Row: Sendable, CustomTestStringConvertible {
        let style: RequestParameters.Style
        let parameters: [String: ParameterValue]
        let code: RequestParameters.EncodingError.Code
        let path: [String]

        var testDescription: String { "\(path.joined(separator: ".")): \(code)" }
    }

    @Test("an error of a style has the expected code and the path of the value", arguments: rows)
    func errors(row: Row) throws {
        let error = try #require(throws: RequestParameters.EncodingError.self) {
            try row.style.encode(RequestParameters(row.parameters))
        }
        #expect(error.code == row.code)
        #expect(error.path == row.path)
        #expect((error.underlying is Refusal) == (row.code == .styleFailed))
    }

    private static func day(_ seconds: Double) -> ParameterValue { .date(Date(timeIntervalSince1970: seconds)) }

    private static let rows = [
        Row(style: .standard, parameters: ["a": .double(.nan)], code: .nonFiniteNumber, path: ["a"]),
        Row(
            style: .standard, parameters: ["a": ["b": [1, .double(.infinity)]]], code: .nonFiniteNumber,
            path: ["a", "b", "1"]),
        Row(
            style: .standard, parameters: ["a": .set([.double(-.infinity)])], code: .nonFiniteNumber, path: ["a", "0"]),
        Row(style: .standard, parameters: ["a": .decimal(.nan)], code: .nonFiniteNumber, path: ["a"]),
        Row(style: .standard, parameters: ["a": day(.infinity)], code: .nonFiniteNumber, path: ["a"]),
        Row(style: .standard, parameters: ["a": day(.nan)], code: .nonFiniteNumber, path: ["a"]),
        Row(style: .standard, parameters: ["a": day(1e300)], code: .dateOutOfRange, path: ["a"]),
        Row(style: .standard, parameters: ["a": day(-1e300)], code: .dateOutOfRange, path: ["a"]),
        Row(style: .init(dates: .iso8601), parameters: ["a": day(253_402_300_800)], code: .dateOutOfRange, path: ["a"]),
        Row(
            style: .init(dates: .iso8601WithMilliseconds), parameters: ["a": day(253_402_300_799.9999)],
            code: .dateOutOfRange, path: ["a"]),
        Row(style: .init(dates: .secondsSince1970), parameters: ["a": day(.nan)], code: .nonFiniteNumber, path: ["a"]),
        Row(
            style: .init(dates: .millisecondsSince1970), parameters: ["a": day(1e300)], code: .dateOutOfRange,
            path: ["a"]),
        Row(
            style: .init(dates: .millisecondsSince1970), parameters: ["a": day(-.infinity)], code: .nonFiniteNumber,
            path: ["a"]),
        Row(
            style: .init(dates: .custom { _ in throw Refusal() }), parameters: ["a": [day(0)]], code: .styleFailed,
            path: ["a", "0"]),
        Row(
            style: .init(data: .custom { _ in throw Refusal() }), parameters: ["a": .data(Data())], code: .styleFailed,
            path: ["a"]),
        Row(style: .custom { _ in throw Refusal() }, parameters: [:], code: .styleFailed, path: []),
    ]

    @Test("the description of an error has no values")
    func description() throws {
        let error = try #require(throws: RequestParameters.EncodingError.self) {
            try RequestParameters.Style.standard.encode(["a": ["b": [Double.infinity]], "secret": "hidden"])
        }
        #expect(error.description == "a.b.0: the number or date is infinite or NaN")
    }
}
