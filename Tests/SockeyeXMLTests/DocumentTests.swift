#if XML
import Foundation
import SockeyeTesting
import Testing

@testable import SockeyeXML

@Suite("XML documents", .timeLimit(.minutes(1)))
struct DocumentTests {
    private static let feed = """
        <?xml version="1.0"?>
        <!--a feed--><rss version="2.0" xmlns:atom="urn:atom"><channel>
          <title>All &amp; more</title><atom:title>Other</atom:title>
          <item id="1"><title>One</title></item>
          <item id="2"><title>Tw<b>o</b></title><![CDATA[<x>]]></item>
        </channel></rss><?end?>
        """

    @Test("a document finds elements by path, and gives their attributes and text")
    func queries() throws {
        let document = try parse(Self.feed)
        let root = document.root
        #expect(root.name.local == "rss")
        #expect(root["version"] == "2.0")
        #expect(root["other"] == nil)
        #expect(root.elements(at: "channel/item/title").map(\.text) == ["One", "Two"])
        #expect(root.first(at: "channel/item/title")?.text == "One")
        #expect(root.first(at: "channel/item/title/b")?.text == "o")
        #expect(root.first(at: "channel/*/b") == nil)
        #expect(root.elements(at: "*/item").compactMap { $0["id"] } == ["1", "2"])
        let channel = try #require(root.first(named: "channel"))
        #expect(channel.first(named: "title")?.text == "All & more")
        #expect(channel.children(named: "title").count == 2)
        #expect(channel.children(named: "title", namespace: "urn:atom").map(\.text) == ["Other"])
        #expect(channel.children(named: "none").isEmpty)
        #expect(document.prolog == [.comment("a feed")])
        #expect(document.epilog == [.processingInstruction(target: "end", data: "")])
    }

    @Test("the options of a document decide whether it keeps blanks and CDATA sections")
    func options() throws {
        let root = try parse("<a> <b> </b> x<![CDATA[y]]> </a>").root
        #expect(root.children.count == 3)
        #expect(root.children.last == .text(" xy "))
        let other = XMLDocument.Options(keepsWhitespace: false, mergesCDATA: false)
        let bare = try parse("<a> <b> </b> x<![CDATA[y]]> </a>", options: other).root
        #expect(
            bare.children == [
                .element(XMLDocument.Element(XMLEvent.Tag(XMLEvent.Name("b")), children: [.text(" ")])), .text(" x"),
                .cdata("y"),
            ])
    }

    @Test(
        "a document equals the result of writing and parsing it again",
        arguments: [
            feed, "<a/>", "<a k='&lt;&amp;&quot;&#9;&#10;&#13; &gt;'>&#13;\n&lt;]]&gt;</a>",
            "<x:a xmlns:x='u' xmlns='v'><b xmlns=''/><x:c x:d='e'/></x:a>", "<!--a--><a><?b c?><!--d--></a><!--e-->",
            "<a><![CDATA[x]]]]><![CDATA[>y]]></a>",
        ])
    func writing(text: String) throws {
        let options = XMLDocument.Options(keepsWhitespace: true, mergesCDATA: false)
        let document = try parse(text, options: options)
        #expect(try parse(document.serialized(), options: options) == document)
        #expect(try parse(document.description, options: options) == document)
    }

    @Test(
        "a document that is not well-formed is an error with line, column and an excerpt",
        arguments: [
            ("<a>\n  <b></a>", XMLError.Kind.malformed, 2), ("<a k='1' k='2'/>", .malformed, 1),
            ("<a/><b/>", .malformed, 1),
            ("<a>\n\n<p:b/></a>", .undeclaredPrefix, 3), ("<a p:k=''/>", .undeclaredPrefix, 1), ("{}", .malformed, 1),
            ("<a>\n<b/>", .unexpectedEnd, 2), ("<a>x", .unexpectedEnd, 1), ("<a/>x", .malformed, 1),
            ("<a", .unexpectedEnd, 1), ("<a><![CDATA[", .unexpectedEnd, 1),
        ])
    func faults(text: String, kind: XMLError.Kind, line: Int) {
        let error = failure(Bytes(text))
        #expect(error?.kind == kind, "\(error as Any)")
        #expect(error?.line == line)
        #expect((error?.column ?? 0) >= 1)
        #expect(error?.excerpt.isEmpty == false)
    }

    @Test("an excerpt keeps its last character unless the character is cut off", arguments: ["é", "€", "😀"])
    func excerptEnd(character: String) {
        let bytes = Array(character.utf8)
        for kept in 1...bytes.count {
            let text = String(repeating: "x", count: XMLExcerpt.reach - kept)
            let expected = kept == bytes.count ? text + character : text
            #expect(XMLExcerpt.text([], Array(text.utf8) + bytes.prefix(kept)) == "→" + expected)
        }
    }

    @Test(
        "a default for an attribute with a bad prefix is an error, but its declaration without a default is valid",
        arguments: [":k", "::::k", "p:k:l", "p:", "p:1", "p:k"])
    func defaults(name: String) {
        let error = failure(Bytes("<!DOCTYPE a [<!ATTLIST a \(name) CDATA 'v'>]><a/>"))
        #expect(error?.kind == .undeclaredPrefix, "\(error as Any)")
        #expect(failure(Bytes("<!DOCTYPE a [<!ATTLIST a \(name) CDATA #IMPLIED>]><a/>")) == nil)
        #expect(failure(Bytes("<!DOCTYPE a [<!ATTLIST a q:k CDATA 'v'>]><a xmlns:p='u' xmlns:q='u' p:k='w'/>")) != nil)
        #expect(failure(Bytes("<!DOCTYPE a [<!ATTLIST a q:k CDATA 'v'>]><a xmlns:q='u'/>")) == nil)
    }

    @Test("a call returns a document as its value, and an empty body is an error")
    func calls() async throws {
        let client = HTTPClient(
            transport: MockTransport { request in
                request.path == "/empty"
                    ? .bytes(Bytes(), contentType: "text/xml") : .bytes(Bytes(Self.feed), contentType: "text/xml")
            })
        let document = try await client.get("http://example.com/", as: .xml)
        #expect(document.root.first(at: "channel/title")?.text == "All & more")
        let titles = try await client.get("http://example.com/", as: .xml.map(\.root.name.local))
        #expect(titles == "rss")
        let error = await #expect(throws: SockeyeError.self) {
            try await client.get("http://example.com/empty", as: .xml)
        }
        #expect(error?.code == .decodingFailed)
        let limited = await #expect(throws: SockeyeError.self) {
            try await client.get("http://example.com/", as: .xml.limited(to: 100))
        }
        #expect(limited?.code == .limitExceeded)
    }

    @Test("the message of an error contains no text of the body, even if a content coding was not decoded")
    func codedBody() async throws {
        for coding in ["x-unknown", "identity"] {
            let client = HTTPClient(
                transport: MockTransport { _ in
                    .bytes(Bytes("<a>s3cret</b>"), contentType: "text/xml", headers: ["Content-Encoding": coding])
                })
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get("http://example.com/", as: .xml)
            }
            #expect(error?.code == .decodingFailed && error?.message.contains("s3cret") == false, "\(coding)")
            #expect((error?.message.contains("content coding") == true) == (coding == "x-unknown"))
        }
    }

    @Test("elements and attributes have the namespaces of their prefixes, even if a URI contains references")
    func namespaces() throws {
        let text = """
            <!DOCTYPE a [<!ENTITY ns 'urn:illustrator'>]><a xmlns="&ns;" xmlns:p="http://x/?a&amp;b" p:k="1" k="2" xml:lang="en">
            <p:b/><c xmlns="" xmlns:p="urn:inner"><p:d/><e/></c><f/></a>
            """
        let root = try parse(text).root
        #expect(root.name.namespace == "urn:illustrator")
        #expect(root.tag.namespaces.map(\.uri) == ["urn:illustrator", "http://x/?a&b"])
        #expect(root["k", namespace: "http://x/?a&b"] == "1")
        #expect(root.attributes.map(\.name.namespace)[1] == nil)
        #expect(root["lang", namespace: "http://www.w3.org/XML/1998/namespace"] == "en")
        let inner = try #require(root.first(named: "c"))
        #expect(root.elements.map(\.name.namespace) == ["http://x/?a&b", nil, "urn:illustrator"])
        #expect(inner.elements.map(\.name.namespace) == ["urn:inner", nil])
        #expect(try parse(root.description).root == root)
    }

    @Test(
        "documents are accepted with the types that AFNetworking accepts and with those that end in +xml",
        arguments: [
            ("application/xml", true), ("text/xml; charset=utf-8", true), ("application/rss+xml", true),
            ("image/svg+xml", true), ("TEXT/XML", true), ("text/html", false), ("application/json", false),
            ("application/xmlish", false), ("", false),
        ])
    func types(type: String, isAccepted: Bool) async throws {
        let client = HTTPClient(
            transport: MockTransport { request in
                #expect(request[.accept] == "application/xml, text/xml")
                return TestServerResponse(headers: type.isEmpty ? [:] : [.contentType: type], body: Bytes("<a/>"))
            })
        guard !isAccepted else {
            _ = try await client.get("http://example.com/", as: .xml)
            return
        }
        let error = await #expect(throws: SockeyeError.self) {
            try await client.get("http://example.com/", as: .xml)
        }
        #expect(error?.code == .unacceptableContentType)
    }
}
#endif
