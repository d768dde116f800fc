import SockeyeEssentials
import SockeyeSerialization
import Testing

/// One row for each option of a style, and for its effect on other options.
@Suite("Options of parameter styles")
struct StyleChoiceTests {
    @Test(
        "the options decide how collections and keys are written",
        arguments: arrays + sets + nesting + keyCases + order)
    func keys(row: StyleRow) throws {
        try row.check()
    }

    @Test("the options decide how scalars are written", arguments: scalars + dates + data)
    func values(row: StyleRow) throws {
        try row.check()
    }

    @Test("a closure can replace the whole style")
    func replacement() throws {
        let style = RequestParameters.Style.custom { $0.values.keys.sorted().map { "\($0)**" }.joined() }
        #expect(try style.encode(["b": 1, "a": 2]) == "a**b**")
    }

    private static let arrays = [
        StyleRow(
            "brackets", .init(arrays: .brackets), ["k": [1, 2], "l": [["a": 1]]],
            "k%5B%5D=1&k%5B%5D=2&l%5B%5D%5Ba%5D=1"),
        StyleRow("repeated keys", .init(arrays: .repeated), ["k": [1, 2], "l": [["a": 1]]], "k=1&k=2&l%5Ba%5D=1"),
        StyleRow(
            "indices", .init(arrays: .indices), ["k": ["a", "b"], "l": [[1]]], "k%5B0%5D=a&k%5B1%5D=b&l%5B0%5D%5B0%5D=1"
        ),
        StyleRow(
            "custom array keys", .init(arrays: .custom { "\($0).\($1 + 1)" }), ["k k": ["a", "b"]],
            "k%20k.1=a&k%20k.2=b"),
        StyleRow(
            "custom array keys inside others", .init(arrays: .custom { "\($0)(\($1))" }),
            ["a": ["b": [[1, 2], 3], "c": 4], "d": 5],
            "a%5Bb%5D%280%29%280%29=1&a%5Bb%5D%280%29%281%29=2&a%5Bb%5D%281%29=3&a%5Bc%5D=4&d=5"),
        StyleRow("repeated keys of nulls", .init(arrays: .repeated), ["k": [.null, .null]], "k&k"),
    ]

    private static let sets = [
        StyleRow(
            "sets like arrays", .init(arrays: .brackets, sets: .likeArrays), ["k": .set(["b", "a"])],
            "k%5B%5D=a&k%5B%5D=b"),
        StyleRow(
            "sets with indices", .init(arrays: .indices, sets: .likeArrays), ["k": .set([9, 10])],
            "k%5B0%5D=10&k%5B1%5D=9"),
        StyleRow("sets are not arrays", .init(arrays: .indices), ["k": .set([1, 2])], "k=1&k=2"),
    ]

    private static let nesting = [
        StyleRow("dots", .init(nesting: .dots), ["a": ["b": ["c": 1]], "d": [["e": 2]]], "a.b.c=1&d.e=2"),
        StyleRow(
            "custom nesting", .init(nesting: .custom { "\($0)_\($1)" }), ["a": ["b": ["c": 1, "d": 2]], "e": 3],
            "a_b_c=1&a_b_d=2&e=3"),
        StyleRow(
            "custom nesting of escaped keys", .init(nesting: .custom { "\($0)>\($1)" }), ["a b": ["c": 1]],
            "a%20b%3Ec=1"),
        StyleRow(
            "custom nesting inside arrays", .init(nesting: .custom { "\($0)/\($1)" }), ["a": [["b": 1], ["b": 2]]],
            "a/b=1&a/b=2"),
    ]

    private static let keyCases = [
        StyleRow(
            "snake case", .init(keyCase: .snakeCase), ["userName": ["firstName": 1]], "user_name%5Bfirst_name%5D=1"),
        StyleRow(
            "snake case of abbreviations", .init(keyCase: .snakeCase), ["baseURLString": 1, "URL": 2, "userID": 3],
            "base_url_string=1&url=2&user_id=3"),
        StyleRow(
            "snake case of digits and marks", .init(keyCase: .snakeCase),
            ["page2Size": 1, "_Private": 2, "x": 3, "": 4], "=4&_private=2&page2_size=1&x=3"),
        StyleRow("kebab case", .init(keyCase: .kebabCase), ["baseURLString": 1], "base-url-string=1"),
        StyleRow("lower case", .init(keyCase: .lowercased), ["AbC": 1], "abc=1"),
        StyleRow("upper case", .init(keyCase: .uppercased), ["AbC": 1], "ABC=1"),
        StyleRow("capitalized", .init(keyCase: .capitalized), ["abC": 1, "": 2], "=2&AbC=1"),
        StyleRow(
            "custom case", .init(keyCase: .custom { "x-" + $0 }), ["b": 1, "a": ["c": 2]], "x-a%5Bx-c%5D=2&x-b=1"),
        StyleRow(
            "sorts names after the change of case", .init(keyCase: .uppercased), ["b": 1, "A": 2, "C": 3], "A=2&B=1&C=3"
        ),
        StyleRow(
            "keeps names that become equal, in their order", .init(keyCase: .lowercased), ["a": 1, "A": 2], "a=2&a=1"),
        StyleRow("leaves values unchanged", .init(keyCase: .uppercased), ["a": "b"], "A=b"),
    ]

    private static let order = [
        StyleRow(
            "order without regard to case", .init(order: .ignoringCase), ["b": 1, "C": 2, "a": 3, "A": 4],
            "A=4&a=3&b=1&C=2"),
        StyleRow(
            "descending order", .init(order: .custom { $0 > $1 }), ["a": 1, "b": ["x": 2, "y": 3]],
            "b%5By%5D=3&b%5Bx%5D=2&a=1"),
        StyleRow(
            "a custom order that prefers no name", .init(order: .custom { _, _ in false }), ["c": 1, "a": 2, "b": 3],
            "a=2&b=3&c=1"),
        StyleRow(
            "an order is applied to the changed names",
            .init(keyCase: .uppercased, order: .custom { $0 == "Z" && $1 != "Z" }),
            ["a": 1, "z": 2], "Z=2&A=1"),
    ]

    private static let scalars = [
        StyleRow("words for booleans", .init(booleans: .words), ["a": true, "b": [false]], "a=true&b=false"),
        StyleRow("digits for booleans", .init(booleans: .digits), ["a": true, "b": [false]], "a=1&b=0"),
        StyleRow(
            "custom booleans", .init(booleans: .custom { $0 ? "yes!" : "no" }), ["a": true, "b": false], "a=yes%21&b=no"
        ),
        StyleRow("null as an empty value", .init(nulls: .empty), ["a": .null, "b": [.null]], "a=&b="),
        StyleRow("null dropped", .init(nulls: .dropped), ["a": .null, "b": 1, "c": [.null, 2, .null]], "b=1&c=2"),
        StyleRow("only dropped nulls", .init(nulls: .dropped), ["a": .null], ""),
        StyleRow("spaces as plus signs", .init(spaces: .plus), ["a b": "c + d"], "a+b=c+%2B+d"),
        StyleRow(
            "words for infinities and NaN", .init(nonFinite: .words),
            ["a": [.double(.infinity), .double(-.infinity), .double(.nan)]], "a=inf&a=-inf&a=nan"),
        StyleRow(
            "null for infinities and NaN", .init(nonFinite: .null), ["a": .double(.nan), "b": .decimal(.nan)], "a&b"),
        StyleRow(
            "infinities and NaN dropped", .init(nulls: .dropped, nonFinite: .null), ["a": .double(.nan), "b": 1], "b=1"
        ),
    ]

    private static let moment = ParameterValue.date(Date(timeIntervalSince1970: 1_700_000_000.123))
    private static let whole = ParameterValue.date(Date(timeIntervalSince1970: 978_307_200))
    private static let early = ParameterValue.date(Date(timeIntervalSince1970: -0.001))

    private static let dates = [
        StyleRow(
            "as Foundation describes them", .init(dates: .description), ["a": moment],
            "a=2023-11-14%2022%3A13%3A20%20%2B0000"),
        StyleRow(
            "ISO 8601", .init(dates: .iso8601), ["a": moment, "b": early],
            "a=2023-11-14T22%3A13%3A20Z&b=1969-12-31T23%3A59%3A59Z"),
        StyleRow(
            "ISO 8601 with milliseconds", .init(dates: .iso8601WithMilliseconds), ["a": moment, "b": early],
            "a=2023-11-14T22%3A13%3A20.123Z&b=1969-12-31T23%3A59%3A59.999Z"),
        StyleRow(
            "seconds", .init(dates: .secondsSince1970), ["a": moment, "b": whole], "a=1700000000.123&b=978307200"),
        StyleRow(
            "milliseconds", .init(dates: .millisecondsSince1970), ["a": moment, "b": whole, "c": early],
            "a=1700000000123&b=978307200000&c=-1"),
        StyleRow(
            "custom dates", .init(dates: .custom { "day \(Int($0.timeIntervalSince1970) / 86400)" }), ["a": moment],
            "a=day%2019675"),
    ]

    private static let bytes = ParameterValue.data(Data([0xFB, 0xFF, 0x00, 0x01]))

    private static let data = [
        StyleRow("base64", .standard, ["a": bytes, "b": .data(Data())], "a=%2B/8AAQ%3D%3D&b="),
        StyleRow("base64 for URLs", .init(data: .base64URL), ["a": bytes], "a=-_8AAQ"),
        StyleRow("hexadecimal", .init(data: .hexadecimal), ["a": bytes, "b": .data(Data())], "a=fbff0001&b="),
        StyleRow("custom data", .init(data: .custom { "\($0.count) bytes" }), ["a": bytes], "a=4%20bytes"),
    ]
}
