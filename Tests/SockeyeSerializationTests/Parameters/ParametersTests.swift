import SockeyeEssentials
import SockeyeSerialization
import SockeyeTestSupport
import Testing

@Suite("Parameters")
struct ParametersTests {
    @Test("literals keep the types of their values")
    func literals() {
        let name = "coast"
        let parameters: RequestParameters = [
            "string": "a", "interpolated": "\(name)!", "integer": -1, "double": 1.5, "bool": true, "null": .null,
            "nil": nil,
            "array": [1, "two", [3.0]], "dictionary": ["k": ["l": 1, "m": nil], "n": "x"],
            "set": Set(["a"]),
        ]
        #expect(
            parameters.values == [
                "string": .string("a"), "interpolated": .string("coast!"), "integer": .integer(-1),
                "double": .double(1.5), "bool": .bool(true), "null": .null,
                "array": .array([.integer(1), .string("two"), .array([.double(3)])]),
                "dictionary": ["k": ["l": 1], "n": "x"], "set": .set([.string("a")]),
            ])
    }

    @Test("equal numbers of any type are the same value")
    func numbers() {
        let same: [ParameterValue] = [.number(7), .number(UInt8(7)), .number(UInt64(7)), .number(Int128(7)), 7]
        #expect(Set(same) == [.integer(7)])
        #expect(ParameterValue.number(UInt64.max) == .unsignedInteger(.max))
        #expect(ParameterValue.number(Int64.min) == .integer(.min))
        #expect(
            ParameterValue.number(UInt128.max)
                == .decimal(Decimal(string: "340282366920938463463374607431768211455") ?? 0))
        #expect(ParameterValue.number(Float(0.1)) == .double(0.1))
        #expect(ParameterValue.number(Decimal(2)) == .decimal(2))
    }

    @Test("assigning nil removes the name, and null is a value")
    func subscripts() {
        var parameters: RequestParameters = ["a": 1, "b": 2]
        parameters["a"] = nil
        parameters["b"] = .null
        parameters["c"] = "x"
        #expect(parameters == ["b": .null, "c": "x"])
        #expect(parameters["c"] == "x" && parameters["a"] == nil && parameters.count == 2)
        #expect(RequestParameters().isEmpty && !parameters.isEmpty)
    }

    @Test("merging prefers the values of the argument and replaces nested values as a whole")
    func merging() {
        let parameters: RequestParameters = ["a": 1, "b": ["x": 1, "y": 2]]
        #expect(parameters.merging(["b": ["x": 3], "c": 4]) == ["a": 1, "b": ["x": 3], "c": 4])
    }

    @Test("canonically equivalent keys are one key")
    func equivalence() throws {
        let parameters: RequestParameters = ["\u{E9}": 1, "e\u{301}": 2]
        #expect(parameters.count == 1 && parameters["\u{E9}"] == 2)
    }

    @Test("parameters are made from a literal, a dictionary of values or an encodable dictionary")
    func initializers() throws {
        #expect(RequestParameters(["a": 1, "b": [.null]]) == ["a": 1, "b": [.null] as ParameterValue])
        let numbers = ["a": 1, "b": 2]
        #expect(RequestParameters(numbers) == ["a": 1, "b": 2])
        #expect(try RequestParameters(numbers, userInfo: [:]) == ["a": 1, "b": 2])
        let mixed: [String: ParameterValue] = ["a": 1]
        #expect(RequestParameters(mixed) == ["a": 1])
    }

    @Test("names are sorted, in whatever order they were added")
    func order() {
        let parameters: RequestParameters = ["b": 1, "a": 2, "c": 3, "a": 4]
        #expect(parameters.map(\.name) == ["a", "b", "c"])
        #expect(parameters.map(\.value) == [4, 1, 3])
        var other = RequestParameters()
        for name in ["c", "a", "b"] { other[name] = parameters[name] }
        #expect(other == parameters && other.hashValue == parameters.hashValue)
        #expect(RequestParameters(["b": 1, "c": 3, "a": 4] as [String: ParameterValue]) == parameters)
        #expect(RequestParameters().merging(parameters) == parameters && parameters.merging([:]) == parameters)
    }

    @Test("parameters and a dictionary agree after random assignments", arguments: UInt64(1)...10)
    func model(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var (parameters, model) = (RequestParameters(), [String: ParameterValue]())
        for step in 0..<500 {
            let name = "k\(Int.random(in: 0..<40, using: &generator))"
            let value: ParameterValue? = Bool.random(using: &generator) ? .number(step) : nil
            parameters[name] = value
            model[name] = value
            #expect(parameters[name] == value)
        }
        #expect(parameters.values == model && parameters == RequestParameters(model))
        #expect(parameters.map(\.name) == model.keys.sorted())
    }

    @Test("the encoded text does not depend on the order of insertion")
    func determinism() throws {
        let names = (0..<100).map { "k\($0)" }
        let set = ParameterValue.set(Set(names.map { .string($0) } + [1, "1", true, 1.0]))
        var texts: Set<String> = []
        for _ in 0..<20 {
            var parameters: RequestParameters = ["set": set]
            for name in names.shuffled() { parameters[name] = .dictionary(["a": 1, "B": 2, "b": set]) }
            texts.insert(try RequestParameters.Style(keyCase: .lowercased, order: .ignoringCase).encode(parameters))
        }
        #expect(texts.count == 1)
    }

    @Test("arrays in a set are written in the order of the types of their elements if their texts are equal")
    func orderOfTypes() throws {
        let kinds: [ParameterValue] = [true, 1, "1"]
        let arrays = kinds.flatMap { first in
            kinds.flatMap { second in kinds.map { ParameterValue.array([first, second, $0]) } }
        }
        let expected = try JSONEncoder().encode(["s": arrays])
        for _ in 0..<20 {
            let parameters: RequestParameters = ["s": ParameterValue.set(Set(arrays.shuffled()))]
            #expect(try JSONEncoder().encode(parameters) == expected)
        }
    }
}
