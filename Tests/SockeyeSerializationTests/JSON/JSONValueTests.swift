import SockeyeCore
import SockeyeSerialization
import Testing

@Suite struct JSONValueTests {
    private let value: JSONValue = [
        "name": "Ada", "tags": ["a", 1, 2.5, true, nil], "address": ["city": "London", "zip": nil], "age": 36,
    ]

    @Test("Subscripts return members and elements, and nil for absent ones")
    func access() {
        #expect(value["name"]?.string == "Ada")
        #expect(value["tags"]?[1]?.int == 1)
        #expect(value["tags"]?[2]?.double == 2.5)
        #expect(value["tags"]?[3]?.bool == true)
        #expect(value["tags"]?[4]?.isNull == true)
        #expect(value["tags"]?[5] == nil)
        #expect(value["tags"]?[-1] == nil)
        #expect(value["address"]?["city"] == "London")
        #expect(value["address"]?["zip"] == .some(.null))
        #expect(value["missing"] == nil)
        #expect(value["name"]?["x"] == nil)
        #expect(value[0] == nil)
        #expect(value.object?.keys == ["name", "tags", "address", "age"])
        #expect(value["age"]?.string == nil)
        #expect(JSONValue.bool(true).int == nil)
        #expect(JSONValue.number(1).bool == nil)
    }

    @Test("Objects with the same members in any order are equal; arrays in different orders are not")
    func equality() {
        let one: JSONValue = ["a": 1, "b": [1, 2]]
        let other: JSONValue = ["b": [1, 2], "a": 1]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != ["a": 1, "b": [2, 1]])
        #expect(one != ["a": 1])
        #expect(one != ["a": 1, "c": [1, 2]])
        #expect(JSONValue.null != .bool(false))
    }

    @Test("Members are set, added and removed in small and large objects", arguments: [2, 17, 40])
    func mutation(count: Int) {
        var object = JSONValue.Object()
        for number in 0..<count { object["k\(number)"] = JSONValue(number) }
        #expect(object.count == count)
        #expect(object.values == (0..<count).map { JSONValue($0) })
        object["k1"] = "x"
        object["k0"] = nil
        object["none"] = nil
        object["new"] = .null
        #expect(object["k0"] == nil)
        #expect(object["k1"] == "x")
        #expect(object["new"] == .some(.null))
        #expect(object.keys == (1..<count).map { "k\($0)" } + ["new"])
        for key in object.keys {
            #expect(object[key] != nil)
            object[key] = nil
        }
        #expect(object.isEmpty)
        #expect(object == [:])
    }

    @Test("In a literal the last of several members with one key counts")
    func literals() {
        let object: JSONValue.Object = ["a": 1, "b": 2, "a": 3]
        #expect(object.keys == ["a", "b"])
        #expect(object["a"] == 3)
        let name = "Ada"
        #expect("Hello \(name)" as JSONValue == .string("Hello Ada"))
        #expect(JSONValue(UInt64.max).description == "18446744073709551615")
        #expect(JSONValue([1, 2].map { JSONValue($0) }) == [1, 2])
    }

    @Test("Nulls are removed from objects and arrays at any depth, except at the top")
    func nulls() {
        let value: JSONValue = ["a": nil, "b": [nil, ["c": nil, "d": 1], [nil]], "e": ["f": ["g": nil]]]
        #expect(value.removingNulls() == ["b": [["d": 1], []], "e": ["f": [:]]])
        #expect(JSONValue.null.removingNulls() == .null)
        let many = JSONValue.Object((0..<50).map { ("k\($0)", $0 % 2 == 0 ? .null : 1) })
        #expect(many.removingNulls().count == 25)
        #expect(many.removingNulls()["k49"] == 1)
    }

    @Test("All values except objects and arrays are fragments")
    func fragments() {
        #expect(([nil, true, 1, "a"] as [JSONValue]).allSatisfy { $0.isFragment })
        #expect(!([[], [:]] as [JSONValue]).contains { $0.isFragment })
    }

    @Test("Values are parsed from any sequence of bytes, and from text")
    func sources() throws {
        let text = "{\"a\":[1]}"
        let value: JSONValue = ["a": [1]]
        #expect(try JSONValue(parsing: Bytes(text)) == value)
        #expect(try JSONValue(parsing: Array(text.utf8)[...]) == value)
        #expect(try JSONValue(parsing: text.utf8.lazy.map { $0 }) == value)
        #expect(try JSONValue(parsing: ("x" + text).dropFirst()) == value)
    }
}
