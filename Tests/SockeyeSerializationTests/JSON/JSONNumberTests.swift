import SockeyeSerialization
import Testing

@Suite struct JSONNumberTests {
    @Test(
        "A number is written with the digits that were read",
        arguments: [
            "0", "-0", "-0.0", "7", "-7", "1.0", "0.10", "1e2", "1E+2", "9223372036854775807", "-9223372036854775808",
            "9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775809",
            "123456789012345678901234567890.123456789", "1e400", "-1e400", "1e-400", "1e99999999999999999999",
            "0.00000000000000000000000000000000000001",
        ])
    func digits(text: String) throws {
        let value = try JSONValue(parsing: text)
        #expect(value.string() == text)
        #expect(JSONValue.Number(text)?.description == text)
        #expect(value == .number(try #require(JSONValue.Number(text))))
    }

    @Test("A number of a million digits is kept, and no number is infinite")
    func huge() throws {
        let text = String(repeating: "9", count: 1_000_000)
        let number = try #require(JSONValue.Number(text))
        #expect(number.description == text)
        #expect(number.double == nil)
        #expect(number.integer(as: Int.self) == nil)
        #expect(JSONValue.Number("1e400")?.double == nil)
        #expect(JSONValue.Number("-1e400")?.double == nil)
        #expect(JSONValue.Number("1e99999999999999999999")?.double == nil)
        #expect(JSONValue.Number("1e-400")?.double == 0)
    }

    @Test(
        "Numbers with the same value are equal and hash alike, however they are written",
        arguments: [
            ["1", "1.0", "10e-1", "0.1e1", "1E0", "100e-2"], ["0", "-0", "0.0", "0e99", "-0e99999999999999999999"],
            ["-120", "-1.2e2", "-12E1"], ["18446744073709551616", "18446744073709551616.0"],
            ["18446744073709551615", "18446744073709551615e0"], ["1e400", "10e399", "0.1e401"],
        ])
    func equal(texts: [String]) throws {
        let numbers = try texts.map { try #require(JSONValue.Number($0)) }
        #expect(Set(numbers).count == 1)
    }

    @Test("Numbers of different values are not equal")
    func different() throws {
        let texts = [
            "1", "-1", "10", "0.1", "1e400", "1e401", "-1e400", "1e99999999999999999999", "2e99999999999999999999",
            "10e99999999999999999999", "0.1e99999999999999999999",
            "18446744073709551615", "18446744073709551616", "0.1000000000000000055511151231257827",
        ]
        #expect(Set(try texts.map { try #require(JSONValue.Number($0)) }).count == texts.count)
    }

    @Test(
        "A number converts to Int only if it is whole and within the range of Int",
        arguments: [
            ("12", 12), ("12.0", 12), ("1.2e1", 12), ("120e-1", 12), ("-0", 0), ("1e18", 1_000_000_000_000_000_000),
            ("1e19", nil), ("12.5", nil), ("1e-1", nil), ("9223372036854775807", .max), ("9223372036854775808", nil),
            ("-9223372036854775808", .min), ("-9223372036854775808.0", .min), ("-9223372036854775809", nil),
            ("1e99999999999999999999", nil), ("1e9223372036854775807", nil), ("10e9223372036854775807", nil),
            ("0.1e-9223372036854775808", nil),
        ] as [(String, Int?)]
    )
    func integers(text: String, value: Int?) throws {
        #expect(try #require(JSONValue.Number(text)).integer() == value)
    }

    @Test("Numbers convert to the integer types that can represent them")
    func integerTypes() throws {
        let number = try #require(JSONValue.Number("255"))
        #expect(number.integer(as: UInt8.self) == 255)
        #expect(number.integer(as: Int8.self) == nil)
        #expect(JSONValue.Number("18446744073709551615")?.integer() == UInt64.max)
        #expect(JSONValue.Number("340282366920938463463374607431768211455")?.integer() == UInt128.max)
        #expect(JSONValue.Number(UInt128.max).description == "340282366920938463463374607431768211455")
    }

    @Test(
        "Doubles are written with as many digits as necessary, and small whole numbers as integers",
        arguments: [
            (0.1, "0.1"), (5, "5"), (-5, "-5"), (-0.0, "-0"), (1e20, "1e+20"), (.leastNonzeroMagnitude, "5e-324"),
            (0x1p53, "9007199254740992.0"), (1.7976931348623157e308, "1.7976931348623157e+308"),
        ])
    func doubles(value: Double, text: String) throws {
        let number = try #require(JSONValue.Number(value))
        #expect(number.description == text)
        #expect(try JSONValue(parsing: text).double == value)
    }

    @Test("Infinities and NaN are not JSON numbers", arguments: [Double.infinity, -.infinity, .nan])
    func notFinite(value: Double) {
        #expect(JSONValue.Number(value) == nil)
        #expect(JSONValue(value) == nil)
    }

    @Test(
        "Text outside the grammar is not a number",
        arguments: ["", " 1", "1 ", "+1", "01", "1.", "nan", "0x1", "1,0"])
    func noNumber(text: String) {
        #expect(JSONValue.Number(text) == nil)
    }
}
