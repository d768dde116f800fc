import Foundation
import SockeyeCore
import SockeyePropertyLists
import SockeyeTestSupport
import Testing

/// Lists of the deepest allowed nesting, on threads whose stack is as small as musl's default. Each walk may use at
/// most 64 KiB of it.
@Suite("Property lists on small stacks") struct SmallStackTests {
    private static let bound = 64 << 10

    private static func parameters(levels: Int) -> ParameterValue {
        (1..<levels).reduce(1) { value, level in level % 2 == 0 ? .array([value]) : ["k": value] }
    }

    private func check(_ name: String, _ body: @escaping @Sendable () -> Bool) {
        // The first run uses a larger stack, because the dynamic linker resolves symbols on the caller's stack.
        _ = body()
        let (isRight, used) = SmallStack.run(body)
        #expect(isRight && used <= Self.bound, "\(name): \(used) bytes")
    }

    @Test("a small stack suffices to read, compare, hash and free the deepest allowed lists")
    func propertyList() throws {
        let value = Self.parameters(levels: RequestParameters.maximumDepth)
        let other = Self.parameters(levels: RequestParameters.maximumDepth)
        for format in [PropertyListFormat.xml, .binary] {
            let bytes = try value.propertyList(format)
            check("read and free \(format)") { (try? PropertyListValue(propertyList: bytes)) != nil }
        }
        check("compare") { value == other }
        check("hash") { value.hashValue == other.hashValue }
        check("free") { Self.parameters(levels: RequestParameters.maximumDepth) != 1 }
    }

    /// Foundation's coders walk these lists recursively.
    @Test("a walk by Foundation's coders on a small stack succeeds or ends in an error")
    func coders() throws {
        let list = Self.parameters(levels: RequestParameters.maximumDepth)
        let bytes = try list.propertyList(.binary)
        let walks: [@Sendable () throws -> Void] = [
            { _ = try list.propertyList(.xml) }, { _ = try list.propertyList() },
            { _ = try PropertyListDecoder().decode(ParameterValue.self, from: Data(bytes)) },
            { _ = try list.decodedPropertyList(as: ParameterValue.self) },
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

    @Test("a small stack suffices to decode a property list of 16 levels")
    func shallow() throws {
        let value = Self.parameters(levels: 16)
        let (result, _) = SmallStack.run {
            (try? value.decodedPropertyList(as: ParameterValue.self)) == value
        }
        #expect(result)
    }
}
