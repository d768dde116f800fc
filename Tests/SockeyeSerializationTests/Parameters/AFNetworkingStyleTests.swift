import SockeyeEssentials
import SockeyeSerialization
import Testing

/// One row for each behaviour of AFNetworking's query and form encoding. Rows say `[` for readability where the text
/// has `%5B`.
@Suite("AFNetworking's parameter style")
struct AFNetworkingStyleTests {
    @Test("the style encodes as AFNetworking does", arguments: nesting + order + scalars)
    func bracketed(row: StyleRow) throws {
        let text = row.text.replacing("[", with: "%5B").replacing("]", with: "%5D")
        #expect(try row.style.encode(row.parameters) == text)
    }

    @Test("the style escapes as AFNetworking does", arguments: escaping)
    func escaped(row: StyleRow) throws {
        try row.check()
    }

    private static let nesting = [
        StyleRow("no parameters are no text", [:], ""),
        StyleRow("a pair is joined by an equals sign", ["k": "v"], "k=v"),
        StyleRow("pairs are joined by ampersands", ["a": 1, "b": 2], "a=1&b=2"),
        StyleRow("the last of equal keys wins", ["a": 1, "a": 2], "a=2"),
        StyleRow("a dictionary's keys are bracketed", ["k": ["sub": 1]], "k[sub]=1"),
        StyleRow("dictionaries nest", ["k": ["l": ["m": 1]]], "k[l][m]=1"),
        StyleRow("an array's elements get empty brackets", ["k": [1, 2]], "k[]=1&k[]=2"),
        StyleRow("an array keeps its order", ["k": ["b", "a", "b"]], "k[]=b&k[]=a&k[]=b"),
        StyleRow("arrays nest", ["k": [[1, 2], [3]]], "k[][]=1&k[][]=2&k[][]=3"),
        StyleRow("an array of dictionaries", ["k": [["b": 1, "a": 2], ["a": 3]]], "k[][a]=2&k[][b]=1&k[][a]=3"),
        StyleRow("a dictionary of arrays", ["k": ["a": [1], "b": [2]]], "k[a][]=1&k[b][]=2"),
        StyleRow("a set repeats the key", ["k": .set(["a"])], "k=a"),
        StyleRow("a set is sorted", ["k": .set(["c", "a", "b"])], "k=a&k=b&k=c"),
        StyleRow("a set of numbers is sorted by their text", ["k": .set([9, 10, 1])], "k=1&k=10&k=9"),
        StyleRow(
            "a set of unlike elements is sorted by their text", ["k": .set([2, "1", .null, true])], "k=1&k=1&k=2&k"),
        StyleRow("a set inside a dictionary", ["k": ["s": .set([1, 2])]], "k[s]=1&k[s]=2"),
        StyleRow("a set of arrays", ["k": .set([["a"], ["b"]])], "k[]=a&k[]=b"),
        StyleRow("an empty array vanishes", ["a": [], "b": 1], "b=1"),
        StyleRow("an empty dictionary vanishes", ["a": [:], "b": 1], "b=1"),
        StyleRow("an empty set vanishes", ["a": .set([]), "b": 1], "b=1"),
    ]

    private static let order = [
        StyleRow("keys are sorted", ["b": 1, "c": 2, "a": 3], "a=3&b=1&c=2"),
        StyleRow("capitals come before small letters", ["a": 1, "B": 2, "A": 3, "b": 4], "A=3&B=2&a=1&b=4"),
        StyleRow("numbers in keys are sorted as text", ["k10": 1, "k9": 2, "k1": 3], "k1=3&k10=1&k9=2"),
        StyleRow("a shorter key comes first", ["ab": 1, "a": 2, "abc": 3], "a=2&ab=1&abc=3"),
        StyleRow("keys are sorted before they are escaped", ["a{": 1, "aa": 2], "aa=2&a%7B=1"),
        StyleRow("nested keys are sorted on their level", ["k": ["b": 1, "a": 2], "a": 3], "a=3&k[a]=2&k[b]=1"),
        StyleRow("a nested key does not move its parent", ["a": ["z": 1], "aa": 2], "a[z]=1&aa=2"),
    ]

    private static let scalars = [
        StyleRow("null is a bare key", ["k": .null], "k"),
        StyleRow("null among other values", ["a": 1, "k": .null, "z": 2], "a=1&k&z=2"),
        StyleRow("null in an array", ["k": [1, .null]], "k[]=1&k[]"),
        StyleRow("null in a dictionary", ["k": ["n": .null]], "k[n]"),
        StyleRow("an empty string keeps its equals sign", ["k": ""], "k="),
        StyleRow("an empty key", ["": "v"], "=v"),
        StyleRow("an empty key with members", ["": ["a": 1], "b": ["": 2]], "[a]=1&b[]=2"),
        StyleRow("an empty key without value is an empty pair", ["": .null, "a": 1], "&a=1"),
        StyleRow("true is 1", ["k": true], "k=1"),
        StyleRow("false is 0", ["k": false], "k=0"),
        StyleRow("integers", ["a": 0, "b": -25, "c": .number(Int64.min)], "a=0&b=-25&c=-9223372036854775808"),
        StyleRow("unsigned integers", ["k": .number(UInt64.max)], "k=18446744073709551615"),
        StyleRow("fractions", ["a": 1.5, "b": -0.25, "c": 0.1], "a=1.5&b=-0.25&c=0.1"),
        StyleRow("whole floating-point numbers have no fraction", ["a": 1.0, "b": 100.0], "a=1&b=100"),
        StyleRow("exponents are escaped", ["k": 1e21], "k=1e%2B21"),
        StyleRow("single precision keeps its digits", ["k": .number(Float(0.1))], "k=0.1"),
        StyleRow(
            "decimal numbers are exact", ["k": .decimal(Decimal(string: "0.1234567890123456789") ?? 0)],
            "k=0.1234567890123456789"),
        StyleRow(
            "dates are written as in their Foundation description",
            ["k": .date(Date(timeIntervalSinceReferenceDate: 0.9))],
            "k=2001-01-01%2000%3A00%3A00%20%2B0000"),
    ]

    private static let escaping = [
        StyleRow("unreserved characters are kept", ["k": "AZaz09-._~"], "k=AZaz09-._~"),
        StyleRow("slash and question mark are kept", ["k": "what?/where", "?": "/"], "?=/&k=what?/where"),
        StyleRow("general delimiters are escaped", ["k": ":#[]@"], "k=%3A%23%5B%5D%40"),
        StyleRow("sub-delimiters are escaped", ["k": "!$&'()*+,;="], "k=%21%24%26%27%28%29%2A%2B%2C%3B%3D"),
        StyleRow("a space is %20", ["a b": "c d"], "a%20b=c%20d"),
        StyleRow("a percent sign is escaped, escaped text twice", ["k": "100%", "l": "%20"], "k=100%25&l=%2520"),
        StyleRow(
            "characters that URLs cannot contain are escaped", ["k": "\"<>\\^`{|}\r\n\t\u{0}\u{7F}"],
            "k=%22%3C%3E%5C%5E%60%7B%7C%7D%0D%0A%09%00%7F"),
        StyleRow("keys are escaped like values", ["a&b=c[d]": 1], "a%26b%3Dc%5Bd%5D=1"),
        StyleRow("nested keys are escaped", ["a b": ["c&d": 1]], "a%20b%5Bc%26d%5D=1"),
        StyleRow("brackets are escaped", ["k": [1]], "k%5B%5D=1"),
        StyleRow("other scripts are escaped as UTF-8", ["\u{4EAC}": "\u{FC}"], "%E4%BA%AC=%C3%BC"),
        StyleRow("characters beyond the first plane", ["k": "\u{1F41F}"], "k=%F0%9F%90%9F"),
        StyleRow("composed and decomposed letters are kept", ["k": "\u{E9}e\u{301}"], "k=%C3%A9e%CC%81"),
        StyleRow(
            "composed characters are never split, wherever the 50th character lies",
            ["k": .string(String(repeating: "a", count: 49) + "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}")],
            "k=" + String(repeating: "a", count: 49) + "%F0%9F%91%A9%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7"),
    ]
}
