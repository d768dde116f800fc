import Foundation
import Sockeye
import SockeyeCore
import SockeyeStreams
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("JSON lines", .timeLimit(.minutes(1)))
struct JSONLineTests {
    struct Entry: Codable, Sendable, Equatable {
        var id: Int
        var text: String
    }

    private let client = HTTPClient()

    @Test(
        "values are decoded from JSON lines and from JSON text sequences",
        arguments: [
            "{\"id\":1,\"text\":\"a\"}\n\n{\"id\":2,\"text\":\"ä\\n\"}\r\n{\"text\":\"c\",\"id\":3}",
            "\u{1E}{\"id\":1,\"text\":\"a\"}\n\u{1E}{\n\"id\":2,\n\"text\":\"ä\\n\"}\n\u{1E}{\"text\":\"c\",\"id\":3}\n",
        ])
    func decoding(text: String) async throws {
        let body = IncomingResponse.Body(text.bytes)
        var entries: [Entry] = []
        for try await entry in body.jsonLines(of: Entry.self) { entries.append(entry) }
        #expect(entries == [Entry(id: 1, text: "a"), Entry(id: 2, text: "ä\n"), Entry(id: 3, text: "c")])
    }

    @Test(
        "an invalid value is an error with its number",
        arguments: [
            ("{\"id\":1,\"text\":\"a\"}\n{\"id\":\"x\",\"text\":\"b\"}\n{}\n", .decodingFailed, "value 2"),
            ("{\"id\":1,\"text\":\"a\"}\n{\"id\":2\n", .decodingFailed, "value 2"),
            ("{\"id\":1,\"text\":\"a\"}\n" + String(repeating: "[", count: 513), .decodingFailed, "value 2"),
            ("\u{1E}{\"id\":1,\"text\":\"a\"}\n\u{1E}12", .decodingFailed, "a JSON text of the sequence has no"),
            ("{\"id\":1,\"text\":\"a\"}\n" + String(repeating: " ", count: 2000), .limitExceeded, "a JSON text"),
        ] as [(String, SockeyeError.Code, String)])
    func failures(text: String, code: SockeyeError.Code, message: String) async throws {
        var values = IncomingResponse.Body(text.bytes).jsonLines(of: Entry.self, limit: 1000).makeAsyncIterator()
        #expect(try await values.next() == Entry(id: 1, text: "a"))
        let error = await #expect(throws: SockeyeError.self) { try await values.next() }
        #expect(error?.code == code)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        #expect(try await values.next() == nil)
    }

    @Test("values are sent as they are made: each one after the server has returned the previous one")
    func lockstep() async throws {
        let (values, continuation) = AsyncStream<Entry>.makeStream()
        try await withTestServer { request, responder in
            #expect(request[.contentType] == "application/x-ndjson")
            try await responder.sendHead()
            for try await piece in request.body { try await responder.write(piece) }
            try await responder.finish()
        } run: { server in
            continuation.yield(Entry(id: 0, text: "first"))
            let response = try await client.post(server.url(), .jsonLines(values))
            var id = 0
            for try await entry in response.body.jsonLines(of: Entry.self) {
                #expect(entry.id == id)
                id += 1
                if id < 5 { continuation.yield(Entry(id: id, text: "line\n\(id)")) } else { continuation.finish() }
            }
            #expect(id == 5)
        }
    }

    @Test("values of a collection are sent together, one per line, and can be sent again")
    func collection() async throws {
        let entries = (0..<5000).map { Entry(id: $0, text: "text \($0)") }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try await withTestServer { request in
            request.path == "/moved"
                ? .ok(try await request.text()) : .redirect(to: "/moved", status: 307)
        } run: { server in
            let response = try await client.post(server.url(), .jsonLines(entries, encoder: encoder))
            var (number, lines) = (0, response.body.lines.makeAsyncIterator())
            while let line = try await lines.next() {
                #expect(try JSONDecoder().decode(Entry.self, from: Data(line.utf8)) == entries[number])
                number += 1
            }
            #expect(number == 5000)
        }
    }

    @Test("values are made no faster than the peer takes them")
    func backpressure() async throws {
        let made = Recorder<Int>()
        try await withTestServer { request, responder in
            var (count, pieces) = (0, request.body.makeAsyncIterator())
            while count < 1 << 20, let piece = try await pieces.next() { count += piece.count }
            responder.reset()
        } run: { server in
            await #expect(throws: SockeyeError.self) {
                try await client.post(server.url(), .jsonLines(Endless(made: made)))
            }
            // 300 records stand for 300,000 values of about 100 bytes, more than the peer takes and the system buffers.
            #expect(made.values.count < 300)
        }
    }

    @Test("a value that cannot be encoded ends the call")
    func unencodable() async throws {
        try await withTestServer { request in
            .ok(try await request.text())
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await client.post(server.url(), .jsonLines([1.0, .infinity]))
            }
            #expect(error?.code == .bodyFailed)
            #expect(error?.underlying is EncodingError)
            _ = server.takeFailures()
        }
    }
}

/// Ten million values; every thousandth is recorded.
private struct Endless: Sequence, Sendable {
    let made: Recorder<Int>

    func makeIterator() -> AnyIterator<JSONLineTests.Entry> {
        var id = 0
        return AnyIterator {
            if id % 1000 == 0 { made.append(id) }
            id += 1
            return id < 10_000_000 ? JSONLineTests.Entry(id: id, text: String(repeating: "x", count: 80)) : nil
        }
    }
}
