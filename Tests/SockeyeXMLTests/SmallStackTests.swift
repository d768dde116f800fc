#if XML
import SockeyeCore
import SockeyeTestSupport
import SockeyeXML
import Testing

@Suite("Deep trees on small stacks") struct SmallStackTests {
    @Test("reading, comparing, hashing, writing and freeing the deepest allowed tree take less than 64 KiB of stack")
    func deepest() throws {
        let depth = XMLDocument.Options().limits.maximumDepth
        let text = String(repeating: "<a b='c'>", count: depth) + "x" + String(repeating: "</a>", count: depth)
        let bytes = Bytes(text)
        let document = try XMLDocument(parsing: bytes)
        let other = try XMLDocument(parsing: bytes)
        let walks: [(String, @Sendable () -> Bool)] = [
            ("read and free", { (try? XMLDocument(parsing: bytes)) != nil }), ("compare", { document == other }),
            ("hash", { document.hashValue == other.hashValue }), ("text", { document.root.text == "x" }),
            ("write", { document.description.utf8.count == text.utf8.count }),
            ("refuse", { (try? XMLDocument(parsing: Bytes("<a>\(text)</a>"))) == nil }),
        ]
        for (name, walk) in walks {
            // The first run uses a larger stack, because the dynamic linker resolves symbols on the caller's stack.
            _ = walk()
            let (isRight, used) = SmallStack.run(walk)
            #expect(isRight && used <= 64 << 10, "\(name): \(used) bytes")
        }
    }
}
#endif
