import Sockeye
import SockeyeStreams
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// The test vectors of event streams: a server sends each stream over a socket, and a client reads its events.
@Suite("Event stream vectors", .timeLimit(.minutes(5))) struct EventStreamWireTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let id: String
        let stream: ByteString
        let events: [[String]]

        var testDescription: String { id }
    }

    static let cases = Vectors.load(
        own: "event-streams.json", public: ["event-stream/wpt.json", "event-stream-more/streams.json"], as: Case.self)

    /// Sends an HTTP chunk for each piece, so that the client reads them apart even if the kernel joins them. A long
    /// stream is cut at every 101st index after its first 128 bytes; `EventStreamParserTests` cuts it at each.
    @Test(
        "the client reads the same events from a stream sent whole, cut anywhere, or byte by byte",
        arguments: cases)
    func events(vector: Case) async throws {
        let content = vector.stream.bytes
        try await withTestServer { request, responder in
            try await responder.sendHead(headers: [.contentType: "text/event-stream;charset=utf-8"])
            switch request.query {
            case "bytes": for index in 0..<content.count { try await responder.write(content.slice(index..<index + 1)) }
            case let query:
                let cut = query.flatMap { Int($0) } ?? 0
                try await responder.write(content.slice(0..<cut))
                try await responder.write(content.slice(cut..<content.count))
            }
            try await responder.finish()
        } run: { server in
            var settings = HTTPClient.EventStream.Options()
            settings.reconnects = false
            let client = HTTPClient()
            let cuts = (0..<content.count).filter { $0 < 128 || $0.isMultiple(of: 101) }
            for query in cuts.map({ "\($0)" }) + ["bytes"] {
                var events: [[String]] = []
                for try await event in client.events(server.url("/?\(query)"), options: .eventStream(settings)) {
                    events.append([event.name, event.data, event.id])
                }
                #expect(events == vector.events, "cut at \(query)")
            }
        }
    }
}
