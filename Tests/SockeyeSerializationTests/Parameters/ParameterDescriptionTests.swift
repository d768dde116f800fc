import Foundation
import SockeyeSerialization
import Testing

@Suite("Descriptions of parameters") struct ParameterDescriptionTests {
    @Test("descriptions have the form of literals")
    func literals() {
        let value = RequestParameters([
            "a": [1, 2.5, true, .null, []], "b": ["c": "x\"y"], "e": [:],
            "s": .set(["z", "y"]), "u": .number(UInt64.max),
            "d": .data(Data([1, 2])), "t": .date(Date(timeIntervalSince1970: 0)), "n": .decimal(0.1),
        ])
        #expect(
            value.description == """
                ["a": [1, 2.5, true, .null, []], "b": ["c": "x\\"y"], "d": <2 bytes>, "e": [:], "n": 0.1, \
                "s": .set(["y", "z"]), "t": <1970-01-01 00:00:00 +0000>, "u": 18446744073709551615]
                """)
    }

    @Test("descriptions of invalid dates do not trap")
    func dates() {
        let times = [Double.nan, .infinity, -.infinity, 1e300, -1e300]
        for time in times {
            #expect("\(ParameterValue.date(Date(timeIntervalSinceReferenceDate: time)))".hasSuffix(" s>"))
        }
    }
}
