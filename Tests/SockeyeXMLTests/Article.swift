#if XML
import SockeyeXML

/// The snippets of SockeyeXML.md, which would need the hosts that they name: compiled, not run.
struct Article {
    let client: HTTPClient

    func overview() async throws {
        // A document, up to 16 MiB of it.
        let feed = try await client.get("https://example.com/feed", as: .xml)
        let titles = feed.root.elements(at: "channel/item/title").map(\.text)

        // Of any length, in bounded memory.
        for try await event in try await client.get("https://example.com/dump", as: .xmlEvents) {
            if case .startElement(let tag) = event, let id = tag["id"] { print(tag.name.local, id) }
        }
        print(titles)
    }

    func settings() async throws {
        var options = XMLDocument.Options(keepsWhitespace: false)
        options.limits.maximumDepth = 64
        let page = try await client.get("https://example.com/page", as: .xml(options: options).limited(to: 1 << 20))

        do {
            _ = try await client.get("https://example.com/feed", as: .xml)
        } catch {
            guard let fault = error.underlying as? XMLError else { throw error }
            print(fault.kind, fault.line, fault.column, fault.excerpt)
        }
        print(page.serialized())
    }
}
#endif
