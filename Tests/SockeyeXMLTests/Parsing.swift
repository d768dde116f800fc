#if XML
import SockeyeTesting
import SockeyeXML
import Testing

/// Parses a document from text, as UTF-8.
func parse(_ text: String, options: XMLDocument.Options = XMLDocument.Options()) throws -> XMLDocument {
    try XMLDocument(parsing: Bytes(text), options: options)
}

/// Returns the error of parsing a document, or nil if the document is valid.
func failure(_ bytes: Bytes, charset: String? = nil, options: XMLDocument.Options = XMLDocument.Options()) -> XMLError?
{
    do throws(XMLError) {
        _ = try XMLDocument(parsing: bytes, charset: charset, options: options)
        return nil
    } catch {
        return error
    }
}

/// Returns the events of a body that arrives in pieces, with adjacent texts joined.
func events(_ pieces: [[UInt8]], type: String = "text/xml") async throws -> [XMLEvent] {
    let client = HTTPClient(
        transport: MockTransport { _ in .stream(Pieces(pieces), headers: [.contentType: type]) })
    var events: [XMLEvent] = []
    for try await event in try await client.get("http://example.com/", as: .xmlEvents) {
        switch (events.last, event) {
        case (.text(let before), .text(let text)): events[events.count - 1] = .text(before + text)
        case (.cdata(let before), .cdata(let text)): events[events.count - 1] = .cdata(before + text)
        default: events.append(event)
        }
    }
    return events
}
#endif
