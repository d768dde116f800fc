import Foundation
import Sockeye
import Testing

@Suite("Query")
struct QueryTests {
    @Test("nested keys are bracketed and sorted, null is a bare key, booleans are digits")
    func nesting() {
        let query: Query = ["b": ["y", "x"], "a": ["k": ["z": 1, "y": true]], "n": nil, "d": 1.5]
        #expect(query.encoded == "a%5Bk%5D%5By%5D=1&a%5Bk%5D%5Bz%5D=1&b%5B%5D=y&b%5B%5D=x&d=1.5&n")
    }

    @Test("of equal keys in a literal the last counts")
    func duplicates() {
        #expect((["a": 1, "a": 2] as Query).encoded == "a=2")
    }

    /// The shared vectors lie beside the package; where they are absent this test is skipped.
    @Test("encodes as AFNetworking does", .enabled(if: Vectors.exist("acceptance/query-parameters.json")))
    func vectors() throws {
        for row in try Vectors.objects("acceptance/query-parameters.json") {
            let parameters = try #require(row["parameters"] as? [String: Any])
            let query = Query(parameters.mapValues(Self.value))
            #expect(query.encoded == row["query"] as? String, "\(row["id"] ?? "")")
        }
    }

    private static func value(_ json: Any) -> Query.Value {
        switch json {
        case let list as [Any]: .array(list.map(value))
        case let members as [String: Any]: .dictionary(members.mapValues(value))
        case let text as String: .string(text)
        case is NSNull: .null
        case let number as NSNumber:
            isBoolean(number) ? .init(booleanLiteral: number.boolValue) : .string(number.stringValue)
        default: .null
        }
    }

    private static func isBoolean(_ number: NSNumber) -> Bool {
        String(cString: number.objCType) == "c"
    }
}
