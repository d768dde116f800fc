import Foundation
import SockeyeSerialization
import Testing

@Suite("Parameters of encodable values")
struct ParameterEncoderTests {
    private struct Everything: Encodable {
        var bool = true
        var text = "t"
        var numbers: [Int8] = [1, -1]
        var big = UInt64.max
        var float = Float(0.1)
        var double = 1.5
        var huge = Int128(1) << 100
        var decimal = Decimal(string: "0.10") ?? 0
        var date = Date(timeIntervalSince1970: 1)
        var data = Data([1])
        var url = URL(string: "https://example.com/a?b")
        var id = UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")
        var tags: Set<String> = ["b", "a"]
        var absent: Int?
        var mode = Mode.fast
        var nested = ["k": [Int?.some(1), nil]]
        var parameters: RequestParameters = ["x": Date(timeIntervalSince1970: 2)]
        var value = ParameterValue.set([1])

        enum Mode: String, Encodable { case fast }
    }

    @Test("the properties of an encodable value keep the types that styles distinguish")
    func everything() throws {
        #expect(
            try RequestParameters(Everything()).values == [
                "bool": true, "text": "t", "numbers": [1, -1], "big": .unsignedInteger(.max), "float": 0.1,
                "double": 1.5, "huge": .decimal(Decimal(string: "1267650600228229401496703205376") ?? 0),
                "decimal": .decimal(Decimal(string: "0.1") ?? 0), "date": .date(Date(timeIntervalSince1970: 1)),
                "data": .data(Data([1])), "url": "https://example.com/a?b",
                "id": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "tags": .set(["a", "b"]), "mode": "fast",
                "nested": ["k": [1]], "parameters": ["x": .date(Date(timeIntervalSince1970: 2))],
                "value": .set([1]),
            ])
    }

    private class Base: Encodable {
        private enum Keys: CodingKey { case base }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .base)
        }
    }

    /// Uses every way of nesting.
    private final class Derived: Base {
        private enum Keys: String, CodingKey { case own, list, keyed, null, parent }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(2, forKey: .own)
            try container.encodeNil(forKey: .null)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode("a")
            try list.encodeNil()
            var inList = list.nestedContainer(keyedBy: Keys.self)
            var deeper = list.nestedUnkeyedContainer()
            try deeper.encode(contentsOf: [1, 2])
            try inList.encode(true, forKey: .own)
            #expect(list.count == 4)
            try super.encode(to: list.superEncoder())
            var keyed = container.nestedContainer(keyedBy: Keys.self, forKey: .keyed)
            try keyed.encode(3, forKey: .own)
            #expect(keyed.codingPath.map(\.stringValue) == ["keyed"])
            try super.encode(to: container.superEncoder())
            try super.encode(to: container.superEncoder(forKey: .parent))
        }
    }

    @Test("nested containers, superclasses and super encoders are encoded")
    func containers() throws {
        #expect(
            try RequestParameters(Derived()).values == [
                "base": 1, "own": 2, "list": ["a", ["own": true], [1, 2], ["base": 1]],
                "keyed": ["own": 3], "super": ["base": 1], "parent": ["base": 1],
            ])
    }

    private struct Empty: Encodable {}

    private struct Silent: Encodable {
        func encode(to encoder: any Encoder) throws {}
    }

    @Test("numbers of 128 bits are encoded at any place")
    func wide() throws {
        let (number, wide) = (Int128.min, UInt128.max)
        #expect(try RequestParameters(["a": number], userInfo: [:]).values == ["a": .number(number)])
        #expect(try RequestParameters(["a": [wide]], userInfo: [:]).values == ["a": [.number(wide)]])
        #expect(try RequestParameters(["a": [number]], userInfo: [:]).values == ["a": [.number(number)]])
        #expect(try RequestParameters(["a": Int128?.some(number)], userInfo: [:]).values == ["a": .number(number)])
        #expect(try RequestParameters(["a": UInt128?.some(wide)], userInfo: [:]).values == ["a": .number(wide)])
        #expect(
            try RequestParameters.Style.standard.encode(["a": number, "b": wide])
                == "a=-170141183460469231731687303715884105728&b=340282366920938463463374607431768211455")
    }

    @Test("values may be empty, nil or wrapped")
    func edges() throws {
        #expect(try RequestParameters(Empty()) == [:])
        #expect(try RequestParameters(Silent()) == [:])
        #expect(try RequestParameters(["a": Silent()], userInfo: [:]).values == ["a": [:]])
        #expect(try RequestParameters(Empty?.none) == [:])
        #expect(try RequestParameters(["a": nil, "b": [nil, 1]] as [String: [Int?]?], userInfo: [:]) == ["b": [1]])
        #expect(try RequestParameters(["a": ParameterValue.null], userInfo: [:]) == ["a": .null])
        #expect(try RequestParameters(["a": 1] as [String: Int]?, userInfo: [:]) == ["a": 1])
        #expect(try RequestParameters([1: "a"], userInfo: [:]) == ["1": "a"])
        #expect(try RequestParameters(["a": Set<Int>?.some([1])], userInfo: [:]).values == ["a": .set([1])])
        let parameters: RequestParameters = ["a": 1]
        let opaque: any Encodable = parameters
        #expect(try RequestParameters(opaque) == parameters)
    }

    @Test("values find the caller's user info in their encoder")
    func userInfo() throws {
        struct Informed: Encodable {
            static let key = CodingUserInfoKey(rawValue: "key")
            func encode(to encoder: any Encoder) throws {
                let information = Self.key.flatMap { encoder.userInfo[$0] as? String }
                try ["inner": information].encode(to: encoder)
            }
        }
        let key = try #require(Informed.key)
        #expect(try RequestParameters(["a": Informed()], userInfo: [key: "x"]).values == ["a": ["inner": "x"]])
    }

    private func error(of value: some Encodable) throws -> RequestParameters.EncodingError {
        try #require(throws: RequestParameters.EncodingError.self) { try RequestParameters(value) }
    }

    @Test("a value without keys is refused")
    func keys() throws {
        #expect(try error(of: 1).code == .notADictionary)
        #expect(try error(of: "a").code == .notADictionary)
        #expect(try error(of: [1]).code == .notADictionary)
        #expect(try error(of: Set([1])).code == .notADictionary)
        #expect(try error(of: Date()).code == .notADictionary)
        #expect(try error(of: ParameterValue.array([])).code == .notADictionary)
    }

    private struct Failing: Encodable {
        struct Failure: Error {}
        func encode(to encoder: any Encoder) throws { throw Failure() }
    }

    @Test("if a value throws, the error has the value's own error and its path")
    func failures() throws {
        let failure = try error(of: ["a": ["b": [nil, Failing()]]])
        #expect(failure.code == .valueFailed && failure.path == ["a", "b", "1"])
        #expect(failure.underlying is Failing.Failure)
    }

    private struct Conflicting: Encodable {
        let kinds: [Int]
        func encode(to encoder: any Encoder) throws {
            for kind in kinds {
                switch kind {
                case 0: _ = encoder.container(keyedBy: CodingKeys.self)
                case 1: _ = encoder.unkeyedContainer()
                default:
                    var container = encoder.singleValueContainer()
                    try container.encode(1)
                }
            }
        }
        private enum CodingKeys: CodingKey { case key }
    }

    @Test(
        "a value that asks for two kinds of container is refused",
        arguments: [[0, 1], [1, 0], [0, 2], [2, 1], [2, 2]])
    func conflicts(kinds: [Int]) throws {
        let conflict = try error(of: ["a": Conflicting(kinds: kinds)])
        #expect(conflict.code == .conflictingContainers && conflict.path == ["a"])
    }
}
