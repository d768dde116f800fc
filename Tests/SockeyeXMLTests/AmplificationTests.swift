#if XML
import SockeyeTesting
import SockeyeXML
import Testing

/// A test that measures memory runs in a process of its own, since other tests use memory as well.
@Suite("XML that would fill the memory", .serialized, .timeLimit(.minutes(1)))
struct AmplificationTests {
    private static let long = String(repeating: "u", count: 100_000)

    /// Returns the value of `body`, and the heap that is used additionally while that value lives.
    private static func heap<Value>(of body: () throws -> Value) rethrows -> (value: Value, bytes: Int) {
        let before = HeapUsage.current()
        let value = try body()
        return (value, HeapUsage.current() - before)
    }

    @Test("a document stores a namespace once, regardless of the number of names that belong to it")
    func namespaces() async {
        await #expect(processExitsWith: .success) { try AmplificationTests.checkNamespaces() }
    }

    private static func checkNamespaces() throws {
        let children = String(repeating: "<b/><p:c p:d=''/>", count: 20_000)
        let (document, bytes) = try heap { try parse("<a xmlns='\(long)' xmlns:p='\(long)'>\(children)</a>") }
        #expect(document.root.children.count == 40_000)
        #expect(document.root.first(at: "c")?.attributes.first?.name.namespace == long)
        #expect(bytes < 64 << 20)
    }

    @Test("default namespaces and attributes of the DTD count towards the expansion limit, including their names")
    func defaults() async {
        await #expect(processExitsWith: .success) { AmplificationTests.checkDefaults() }
    }

    private static func checkDefaults() {
        let elements = String(repeating: "<b/>", count: 20_000)
        let names = (0..<500).map { "name-\($0) CDATA '' " }.joined()
        let prefix = String(repeating: "p", count: 40_000)
        let declarations = [
            "xmlns CDATA '\(long)'", "xmlns:p CDATA #FIXED '\(long)'", "xmlns:\(prefix) CDATA 'u'", names,
        ]
        for declaration in declarations {
            let (error, bytes) = heap { failure(Bytes("<!DOCTYPE a [<!ATTLIST b \(declaration)>]><a>\(elements)</a>")) }
            #expect(error?.kind == .tooMuchExpansion, "\(error as Any)")
            #expect(bytes < 32 << 20)
        }
        #expect(failure(Bytes("<!DOCTYPE a [<!ATTLIST b xmlns CDATA 'u'>]><a>\(elements)</a>")) == nil)
    }

    @Test("an expansion limit of zero or less allows no expansion", arguments: [Int.min, -1, 0])
    func negativeLimit(limit: Int) {
        var options = XMLDocument.Options()
        options.limits.maximumExpansion = limit
        let text = Bytes("<!DOCTYPE a [<!ENTITY e 'text'>]><a>&e;</a>")
        #expect(failure(text, options: options)?.kind == .tooMuchExpansion)
        #expect(failure(Bytes("<a/>"), options: options) == nil)
    }

    @Test("events for a very large number of short elements take bounded memory")
    func events() async {
        await #expect(processExitsWith: .success) {
            let document = Repeated(
                first: Array("<a xmlns='\(AmplificationTests.long)'>".utf8),
                piece: Array(String(repeating: "<b/>", count: 1024).utf8), count: 256, last: Array("</a>".utf8))
            try await expectSmallEvents(of: document, elements: 1024 * 256 + 1)
        }
    }

    @Test("the number of different names has a limit, and so has their total size")
    func names() async {
        await #expect(processExitsWith: .success) { try AmplificationTests.checkNames() }
    }

    private static func checkNames() throws {
        let many = "<a>" + (0..<20_000).map { "<b\($0)/>" }.joined() + "</a>"
        #expect(failure(Bytes(many)) == nil)
        var options = XMLDocument.Options()
        options.limits.maximumNames = 10_000
        #expect(failure(Bytes(many), options: options)?.kind == .tooManyNames)
        let name = String(repeating: "b", count: 20_000)
        let large = "<a>" + (0..<1500).map { "<\(name)\($0)/>" }.joined() + "</a>"
        let (error, bytes) = heap { failure(Bytes(large)) }
        #expect(error?.kind == .tooManyNames, "\(error as Any)")
        #expect(bytes < 64 << 20)
    }

    @Test("the largest text and the deepest tree within the limits can be parsed and used")
    func largest() async throws {
        let text = String(repeating: "line\n", count: (16 << 20) / 5)
        #expect(try parse("<a>\(text)</a>").root.text.utf8.count == text.utf8.count)
        let sections = String(repeating: "<![CDATA[x]]>&amp;", count: 200_000)
        #expect(try parse("<a>\(sections)</a>").root.text.utf8.count == 400_000)
        var options = XMLDocument.Options()
        options.limits.maximumDepth = 5000
        let deep = String(repeating: "<a>", count: 2048) + "x" + String(repeating: "</a>", count: 2048)
        // This runs on a thread of the concurrency pool, whose stack callers normally use for trees.
        try await Task.detached { [options] in
            let document = try parse(deep, options: options)
            #expect(document.root.text == "x")
            #expect(document.description == deep)
            let copy = try parse(deep, options: options)
            #expect(document == copy)
            #expect(document.hashValue == copy.hashValue)
        }.value
        #expect(failure(Bytes("<a>" + deep), options: options)?.kind == .tooDeep)
    }

    @Test("a long CDATA section becomes text if the limit on the size of tokens allows its length")
    func cdata() throws {
        let section = String(repeating: "some > text ]] ", count: 70_000)
        var options = XMLDocument.Options()
        options.limits.maximumTokenSize = 2 << 20
        #expect(try parse("<a><![CDATA[\(section)]]></a>", options: options).root.text == section)
    }
}
#endif
