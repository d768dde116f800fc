#if XML
import SockeyeTesting
import SockeyeXML
import Testing

@Suite("Cancellation of XML parsing", .timeLimit(.minutes(1)))
struct CancellationTests {
    private let body = Bytes("<a>" + String(repeating: "<b/>", count: 100_000) + "</a>")

    private var client: HTTPClient {
        HTTPClient(transport: MockTransport { [body] _ in .bytes(body, contentType: "text/xml") })
    }

    @Test("a cancelled call's events end with an error soon, even within a chunk that has already arrived")
    func events() async {
        await Task { [client] in
            var count = 0
            let error = await #expect(throws: SockeyeError.self) {
                for try await _ in try await client.get("http://example.com/", as: .xmlEvents) {
                    count += 1
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                }
            }
            #expect(error?.code == .cancelled)
            #expect(error?.url == "http://example.com/")
            #expect(count < 5000)
        }.value
    }

    @Test("cancellation stops the parsing of a document")
    func document() async throws {
        let response = try await client.get("http://example.com/")
        await Task { [body] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            let error = #expect(throws: SockeyeError.self) {
                try XMLDocumentFormat().value(from: body, BodyHandling(), of: response)
            }
            #expect(error?.code == .cancelled)
        }.value
    }
}
#endif
