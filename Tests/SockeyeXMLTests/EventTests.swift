#if XML
import SockeyeTesting
import SockeyeXML
import Testing

@Suite("XML events", .timeLimit(.minutes(1)))
struct EventTests {
    private static let text = """
        <?xml version="1.0"?><!DOCTYPE r [<!-- no event --><!ENTITY e "entity &#38;#38; more"><?nor this?>]>
        <!--before--><r xmlns="urn:a" xmlns:p="urn:b" p:k="1 &amp; &e;" l='&#x20AC;'>é &lt;&e;
        <![CDATA[<raw>&]]><p:c/><?target some data?></r><!--after-->
        """

    private static let expected: [XMLEvent] = {
        let child = XMLEvent.Name("c", prefix: "p", namespace: "urn:b")
        let root = XMLEvent.Name("r", namespace: "urn:a")
        return [
            .comment("before"),
            .startElement(
                XMLEvent.Tag(
                    root,
                    attributes: [
                        XMLEvent.Attribute(XMLEvent.Name("k", prefix: "p", namespace: "urn:b"), "1 & entity & more"),
                        XMLEvent.Attribute(XMLEvent.Name("l"), "€"),
                    ],
                    namespaces: [
                        XMLEvent.Namespace(prefix: nil, uri: "urn:a"), XMLEvent.Namespace(prefix: "p", uri: "urn:b"),
                    ])),
            .text("é <entity & more\n"), .cdata("<raw>&"), .startElement(XMLEvent.Tag(child)), .endElement(child),
            .processingInstruction(target: "target", data: "some data"), .endElement(root), .comment("after"),
        ]
    }()

    @Test("the events are the same wherever the body is cut into chunks")
    func cuts() async throws {
        let bytes = Array(Self.text.utf8)
        for index in 0...bytes.count {
            let found = try await events([Array(bytes[..<index]), Array(bytes[index...])].filter { !$0.isEmpty })
            #expect(found == Self.expected, "cut at \(index)")
        }
    }

    @Test("all events arrive from a server that sends the body byte by byte")
    func server() async throws {
        let bytes = Array(Self.text.utf8)
        try await withTestServer { _ in
            .stream(Pieces(bytes.map { [$0] }), headers: [.contentType: "application/xml; charset=utf-8"])
        } run: { server in
            var count = 0
            var last: XMLEvent?
            for try await event in try await HTTPClient().get(server.url(), as: .xmlEvents) {
                count += 1
                last = event
            }
            #expect(count >= Self.expected.count)
            #expect(last == .comment("after"))
        }
    }

    @Test("the events of a document that is cut short at any byte end with an error")
    func truncated() async throws {
        let bytes = Array("<?xml version='1.0'?><a b='c'><d>text</d><![CDATA[e]]><!--f--></a>".utf8)
        for index in 0..<bytes.count {
            let error = await #expect(throws: SockeyeError.self) { try await events([Array(bytes[..<index])]) }
            #expect(error?.code == .decodingFailed)
            let kind = (error?.underlying as? XMLError)?.kind
            #expect(kind == (index == 0 ? .empty : .unexpectedEnd), "\(index): \(error?.underlying as Any)")
        }
    }

    @Test("the events before a fault arrive, then the error with its place, and then nothing")
    func fault() async throws {
        let client = HTTPClient(
            transport: MockTransport { _ in .bytes(Bytes("<a>\n<b>x</c></a>"), contentType: "text/xml") })
        var iterator = try await client.get("http://example.com/", as: .xmlEvents).makeAsyncIterator()
        #expect(try await iterator.next() == .startElement(XMLEvent.Tag(XMLEvent.Name("a"))))
        #expect(try await iterator.next() == .text("\n"))
        #expect(try await iterator.next() == .startElement(XMLEvent.Tag(XMLEvent.Name("b"))))
        #expect(try await iterator.next() == .text("x"))
        let error = await #expect(throws: SockeyeError.self) { try await iterator.next() }
        #expect(error?.code == .decodingFailed)
        #expect(error?.message == "the body is not acceptable XML: malformed at line 2, column 9")
        #expect(error?.decoding?.excerpt?.contains("→") == true)
        #expect(error?.url == "http://example.com/")
        #expect((error?.underlying as? XMLError)?.line == 2)
        #expect(try await iterator.next() == nil)
    }

    @Test("an unacceptable type or status fails the call before the body is read")
    func validation() async throws {
        let rows: [(TestServerResponse, SockeyeError.Code)] = [
            (.bytes(Bytes("<a/>"), contentType: "text/html"), .unacceptableContentType),
            (.status(404), .unacceptableStatus),
        ]
        for (response, code) in rows {
            let client = HTTPClient(transport: MockTransport { _ in response })
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get("http://example.com/", as: .xmlEvents)
            }
            #expect(error?.code == code)
        }
    }

    @Test("a caller can stop reading events half-way")
    func dropped() async throws {
        for _ in 0..<200 {
            let client = HTTPClient(
                transport: MockTransport { _ in
                    .bytes(Bytes("<!DOCTYPE a [<!ENTITY e 'x'>]><a><b>&e;"), contentType: "text/xml")
                })
            for try await event in try await client.get("http://example.com/", as: .xmlEvents) {
                if case .startElement = event { break }
            }
        }
    }
}
#endif
