import Foundation
import SockeyeCore
import SockeyeSerialization
import SockeyeTestSupport
import Testing

/// Values of the largest readable depth, on threads with a stack as small as musl's. Each walk must need at most 64
/// KiB, including the start of the thread.
@Suite("JSON and parameters on small stacks") struct SmallStackTests {
    private static let bound = 64 << 10

    private static func json(levels: Int) -> String {
        String(repeating: "[{\"a\":", count: levels / 2) + "0" + String(repeating: "}]", count: levels / 2)
    }

    private static func parameters(levels: Int, of leaf: ParameterValue = 1) -> ParameterValue {
        (1..<levels).reduce(leaf) { value, level in level % 2 == 0 ? .array([value]) : ["k": value] }
    }

    private func check(_ name: String, _ body: @escaping @Sendable () -> Bool) {
        // The first run uses a larger stack, because it needs more: the dynamic linker resolves symbols on the caller's
        // stack.
        _ = body()
        let (isRight, used) = SmallStack.run(body)
        #expect(isRight && used <= Self.bound, "\(name): \(used) bytes")
    }

    @Test(
        "a small stack suffices to read, compare, hash, write and free the deepest JSON, and to remove its nulls")
    func json() throws {
        let depth = JSONValue.ReadingOptions().maximumDepth
        let text = Self.json(levels: depth)
        let value = try JSONValue(parsing: text)
        let other = try JSONValue(parsing: text)
        check("read and free") { (try? JSONValue(parsing: text)) != nil }
        check("refuse") { (try? JSONValue(parsing: "[\(text)]")) == nil }
        check("compare") { value == other }
        check("hash") { value.hashValue == other.hashValue }
        check("clean") { value.removingNulls() == value }
        check("write") { value.string() == text && value.description == text }
    }

    /// Foundation's coders and the style walk these values recursively.
    @Test("on a small stack, a walk by Foundation's coders or by a style succeeds or ends in an error")
    func coders() throws {
        let text = Self.json(levels: 200)
        let json = try JSONValue(parsing: text)
        let shorter = try JSONValue(parsing: Self.json(levels: 198))
        let list = Self.parameters(levels: RequestParameters.maximumDepth)
        // A recursive walk makes the texts by which a set is sorted. Elements with equal texts need a second walk.
        let deep = Self.parameters(levels: 190)
        let unlike = ParameterValue.set([deep, 2])
        let alike = ParameterValue.set([deep, Self.parameters(levels: 190, of: .string("1"))])
        let walks: [@Sendable () throws -> Void] = [
            { _ = try JSONEncoder().encode(json) },
            { _ = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) },
            { _ = try JSONEncoder().encode(list) },
            { _ = try JSONDecoder().decode(ParameterValue.self, from: Data(text.utf8)) },
            { _ = try RequestParameters.Style.standard.encode(["k": list]) },
            { _ = try RequestParameters.Style.standard.encode(["k": unlike]) },
            { _ = try RequestParameters.Style.standard.encode(["k": alike]) },
            { _ = try RequestParameters(["k": shorter]) },
        ]
        for walk in walks {
            #expect(throws: Never.self) { try walk() }
            let (failure, _) = SmallStack.run { () -> String? in
                do {
                    try walk()
                    return nil
                } catch {
                    return "\(error)"
                }
            }
            #expect(failure?.contains("stack") == true || failure?.contains("deep") == true || failure == nil)
        }
    }

    @Test("a small stack suffices to decode and encode values with 16 levels")
    func shallow() throws {
        let text = Self.json(levels: 16)
        let value = Self.parameters(levels: 16)
        let (result, _) = SmallStack.run {
            (try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)))?.string() == text
                && (try? RequestParameters.Style.standard.encode(["k": value])) != nil
        }
        #expect(result)
    }
}
