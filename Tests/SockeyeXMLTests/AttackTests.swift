#if XML
import Foundation
import SockeyeTestSupport
import SockeyeTesting
import SockeyeXML
import Testing

@Suite("XML attacks", .timeLimit(.minutes(1)))
struct AttackTests {
    @Test(
        "each XML attack fails with an error of its own kind",
        arguments: [
            ("<!DOCTYPE a SYSTEM 'http://127.0.0.1:9/a.dtd'><a>&nbsp;</a>", XMLError.Kind.undeclaredEntity),
            ("<a>&nbsp;</a>", .undeclaredEntity), ("<a b='&nbsp;'/>", .undeclaredEntity),
            ("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>", .externalEntity),
            ("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a b='&x;'/>", .externalEntity),
            ("<!DOCTYPE a [<!ENTITY x PUBLIC 'p' 'http://127.0.0.1:9/'>]><a>&x;</a>", .externalEntity),
            ("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'><!ENTITY y '&x;'>]><a>&y;</a>", .externalEntity),
            ("<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://127.0.0.1:9/e'> %p;]><a/>", .parameterEntity),
            ("<!DOCTYPE a [<!ENTITY % p '<!ENTITY x \"y\">'> %p;]><a>&x;</a>", .parameterEntity),
            ("<!DOCTYPE a [%p;]><a/>", .parameterEntity),
            ("<!DOCTYPE a [<!NOTATION n SYSTEM 'n'><!ENTITY u SYSTEM 'u' NDATA n>]><a>&u;</a>", .unsupportedEntity),
            ("<!DOCTYPE a [<!ENTITY m '<b/>'>]><a>&m;</a>", .unsupportedEntity),
            ("<!DOCTYPE a [<!ENTITY m '&#60;b/>'>]><a k='&m;'/>", .unsupportedEntity),
            ("<!DOCTYPE a [<!ENTITY x '&#38;#+66;'>]><a>&x;</a>", .invalidCharacter),
            ("<!DOCTYPE a [<!ENTITY x '&#38;#x+42;'>]><a b='&x;'/>", .invalidCharacter),
            ("<!DOCTYPE a [<!ENTITY x '&y;'><!ENTITY y '&x;'>]><a>&x;</a>", .tooMuchExpansion),
            ("<!DOCTYPE a [<!ENTITY x '&x;'>]><a b='&x;'/>", .tooMuchExpansion),
        ])
    func kinds(text: String, kind: XMLError.Kind) {
        let error = failure(Bytes(text))
        #expect(error?.kind == kind, "\(error as Any)")
        #expect(error?.line == 1)
        #expect(error?.excerpt.contains("→") == true)
    }

    @Test("the message about a name of one letter and thousands of combining marks is short")
    func longNames() throws {
        let name = "a" + String(repeating: "\u{301}", count: 20_000)
        let error = try #require(failure(Bytes("<\(name)></x>")))
        #expect(error.message.utf8.count <= 400)
    }

    @Test(
        "nested entities (“billion laughs”) fail at the expansion limit, in text, attributes and defaults"
    )
    func laughs() {
        for laugh in ["lol", ""] {
            var entities = "<!ENTITY l0 '\(laugh)'>"
            for level in 1...12 {
                entities += "<!ENTITY l\(level) '\(String(repeating: "&l\(level - 1);", count: 10))'>"
            }
            for rest in ["]><a>&l12;</a>", "]><a k='&l12;'/>", "<!ATTLIST a k CDATA '&l12;'>]><a/>"] {
                let error = failure(Bytes("<!DOCTYPE a [\(entities)\(rest)"))
                #expect(error?.kind == .tooMuchExpansion, "\(error as Any)")
            }
        }
    }

    @Test("many references to a long entity, and many elements with a long default, fail at the expansion limit")
    func quadraticBlowup() {
        let long = String(repeating: "x", count: 100_000)
        let references = String(repeating: "&l;", count: 100_000)
        #expect(failure(Bytes("<!DOCTYPE a [<!ENTITY l '\(long)'>]><a>\(references)</a>"))?.kind == .tooMuchExpansion)
        let elements = String(repeating: "<b/>", count: 100_000)
        let defaults = "<!DOCTYPE a [<!ATTLIST b k CDATA '\(long)'>]><a>\(elements)</a>"
        #expect(failure(Bytes(defaults))?.kind == .tooMuchExpansion)
    }

    @Test("depth, attributes, namespaces, tokens, nodes and text have limits")
    func limits() {
        let rows: [(String, XMLError.Kind)] = [
            (String(repeating: "<a>", count: 100_000), .tooDeep),
            ("<a " + (0..<1025).map { "k\($0)='' " }.joined() + "/>", .tooManyAttributes),
            ("<a " + (0..<257).map { "xmlns:k\($0)='u' " }.joined() + "/>", .tooManyNamespaces),
            ("<a k='" + String(repeating: "x", count: 1 << 20) + "'/>", .tokenTooLarge),
            ("<a><!--" + String(repeating: "x", count: 1 << 20) + "--></a>", .tokenTooLarge),
            ("<!DOCTYPE a [" + String(repeating: "<!ELEMENT a ANY>", count: 1 << 16) + "]><a/>", .tokenTooLarge),
            ("<" + String(repeating: "x", count: 1 << 20) + "/>", .tokenTooLarge),
            ("<a>" + String(repeating: "<b/>", count: (1 << 20) + 1) + "</a>", .tooManyNodes),
            ("<a>" + String(repeating: "text", count: (1 << 22) + 1) + "</a>", .tooMuchText),
        ]
        for (text, kind) in rows {
            let error = failure(Bytes(text))
            #expect(error?.kind == kind, "\(error as Any)")
        }
    }

    @Test(
        "the defaults that a DTD declares for an element have the limits of attributes, even if no such element exists",
        arguments: [
            (1024, "a%d", nil), (1025, "a%d", .tooManyAttributes),
            (256, "xmlns:a%d", nil), (257, "xmlns:a%d", .tooManyNamespaces),
        ] as [(Int, String, XMLError.Kind?)])
    func defaults(count: Int, name: String, kind: XMLError.Kind?) {
        let names = (0..<count).map { name.replacing("%d", with: "\($0)") }
        // Declarations for two elements alternate, so that each element gets this number of defaults.
        let declarations = names.map { "<!ATTLIST b \($0) CDATA 'u'><!ATTLIST c \($0) CDATA 'u'>" }.joined()
        #expect(failure(Bytes("<!DOCTYPE a [\(declarations)]><a/>"))?.kind == kind)
    }

    @Test("names of many combining marks do not slow down parsing", arguments: [true, false])
    func marks(areEntities: Bool) throws {
        // Two kinds of marks in turn, so that hashing or comparing a name as a string sorts them.
        let marks = String(String.UnicodeScalarView((0..<20_000).map { $0.isMultiple(of: 2) ? "\u{301}" : "\u{316}" }))
        let (one, other) = ("x\(marks)", "x\(marks)\u{301}")
        let uses = String(repeating: areEntities ? "&\(one);&\(other);" : "<\(one):b/><\(other):b/>", count: 10)
        let document =
            areEntities
            ? "<!DOCTYPE a [<!ENTITY \(one) 'v'><!ENTITY \(other) 'v'>]><a>\(uses)</a>"
            : "<a xmlns:\(one)='u' xmlns:\(other)='v'>\(uses)</a>"
        let time = try ProcessMeter.processorTime { _ = try parse(document) }
        #expect(time < .seconds(5))
    }

    @Test("canonically equivalent names of entities and of prefixes differ")
    func equivalents() throws {
        let (one, other) = ("\u{E9}", "e\u{301}")
        let entities = "<!ENTITY \(one) '1'><!ENTITY \(other) '2'>"
        #expect(try parse("<!DOCTYPE a [\(entities)]><a>&\(one);&\(other);</a>").root.text == "12")
        let root = try parse("<a xmlns:\(one)='1' xmlns:\(other)='2'><\(one):b/><\(other):b/></a>").root
        #expect(root.elements.map(\.name.namespace) == ["1", "2"])
    }

    @Test("the parser stops at its first error and does not parse the rest of the given bytes")
    func stop() {
        let defaults = (0..<15_000).map { "a\($0) CDATA '' " }.joined()
        let text = "<!DOCTYPE a [<!ATTLIST b \(defaults)>]><a>\(String(repeating: "<b/>", count: 1000))</a>"
        var options = XMLDocument.Options()
        options.limits.maximumAttributes = 20_000
        options.limits.maximumExpansion = 10_000
        // libxml2 takes about 0.1 seconds for each of the elements.
        let time = ProcessMeter.processorTime {
            #expect(failure(Bytes(text), options: options)?.kind == .tooMuchExpansion)
        }
        #expect(time < .seconds(10))
    }

    @Test("an entity within the limits becomes text, even where entities refer to each other")
    func entities() throws {
        let text = "<!DOCTYPE a [<!ENTITY x 'a&#38;#38;b&lt;'><!ENTITY y '[&x;]'>]><a k='&y;'>&y;&y;</a>"
        let root = try parse(text).root
        #expect(root["k"] == "[a&b<]")
        #expect(root.text == "[a&b<][a&b<]")
        var options = XMLDocument.Options()
        options.limits.maximumExpansion = 0
        #expect(failure(Bytes(text), options: options)?.kind == .tooMuchExpansion)
    }

    @Test("the parser contacts no server that a document names")
    func network() async throws {
        try await withTestServer { _ in
            .text("<!ENTITY x 'fetched'>")
        } run: { server in
            let texts = [
                "<!DOCTYPE a SYSTEM '\(server.url("/dtd"))'><a/>",
                "<!DOCTYPE a PUBLIC 'p' '\(server.url("/dtd"))' [<!ENTITY % p SYSTEM '\(server.url("/pe"))'>%p;]><a/>",
                "<!DOCTYPE a [<!ENTITY x SYSTEM '\(server.url("/e"))'>]><a>&x;</a>",
                "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='\(server.url("/xi"))'/></a>",
                "<?xml-stylesheet href='\(server.url("/css"))'?><a/>",
                "<a xmlns='\(server.url("/ns"))' xsi:schemaLocation='x \(server.url("/xsd"))' xmlns:xsi='x'/>",
            ]
            for text in texts { _ = try? XMLDocument(parsing: Bytes(text)) }
            // Connections are accepted in order. The server counts only this one, because the parser has made none
            // before it.
            let last = try await HTTPClient().get(server.url("/last")).text()
            #expect(last == "<!ENTITY x 'fetched'>")
            #expect(server.activity.connections == 1)
        }
    }

    @Test("the parser opens no file that a document names")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (entity, dtd) = (folder.appending(component: "entity"), folder.appending(component: "dtd"))
        try Data("secret".utf8).write(to: entity)
        try Data("<!ENTITY x 'secret'><!ATTLIST a k CDATA 'secret'>".utf8).write(to: dtd)
        let rows: [(String, XMLError.Kind?)] = [
            ("<!DOCTYPE a [<!ENTITY x SYSTEM '\(entity)'>]><a>&x;</a>", .externalEntity),
            ("<!DOCTYPE a [<!ENTITY x SYSTEM '\(entity.path)'>]><a k='&x;'/>", .externalEntity),
            ("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><a>&x;</a>", .externalEntity),
            ("<!DOCTYPE a SYSTEM '\(dtd)'><a>&x;</a>", .undeclaredEntity),
            ("<!DOCTYPE a SYSTEM '\(dtd.path)'><a/>", nil),
        ]
        for (text, kind) in rows {
            let error = failure(Bytes(text))
            #expect(error?.kind == kind, "\(error as Any)")
            #expect(error?.description.contains("secret") != true)
        }
        let document = try parse("<!DOCTYPE a SYSTEM '\(dtd)'><a/>")
        #expect(document.root.attributes.isEmpty)
    }

    @Test("events of a large document take bounded memory")
    func memory() async {
        // This runs in a separate process, because other tests use memory as well.
        await #expect(processExitsWith: .success) {
            // 16 MiB in one element: text, children, comments and CDATA.
            let item = "<item k='v'>some text<!--c--><![CDATA[d]]></item>\n"
            let document = Repeated(
                first: Array("<a>".utf8), piece: Array(String(repeating: item, count: 1311).utf8), count: 256,
                last: Array("</a>".utf8))
            try await expectSmallEvents(of: document, elements: 1311 * 256 + 1)
        }
    }
}
#endif
