import Foundation
import SockeyeCore
import SockeyePropertyLists
import SockeyeTestSupport
import Testing

/// Lists nested as deep as they can be read, on threads that have no more stack than musl's. Each walk must come with
/// 64 KiB, what it takes to begin included.
@Suite("Small stacks") struct SmallStackTests {
    private static let bound = 64 << 10

    private static func parameters(levels: Int) -> ParameterValue {
        (1..<levels).reduce(1) { value, level in level % 2 == 0 ? .array([value]) : ["k": value] }
    }

    private func check(_ name: String, _ body: @escaping @Sendable () -> Bool) {
        // Once where there is enough, since the first time takes more: symbols are looked up on the stack of whoever asks.
        _ = body()
        let (isRight, used) = SmallStack.run(body)
        #expect(isRight && used <= Self.bound, "\(name): \(used) bytes")
    }

    @Test("hold the deepest lists that are read: reading, comparing, hashing and freeing them")
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

    /// These are Foundation's and the caller's to walk, level by level.
    @Test("end a walk with Foundation's coders in an error where they are too small for it")
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

    @Test("hold what coders make of 16 levels")
    func shallow() throws {
        let value = Self.parameters(levels: 16)
        let (result, _) = SmallStack.run {
            (try? value.decodedPropertyList(as: ParameterValue.self)) == value
        }
        #expect(result)
    }
}
