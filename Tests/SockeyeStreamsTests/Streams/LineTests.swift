import Sockeye
import SockeyeCore
import SockeyeStreams
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Lines of a response", .timeLimit(.minutes(1)))
struct LineTests {
    private let client = HTTPClient()

    @Test(
        "all line readers return the same lines, whether the body arrives at once or byte by byte",
        arguments: [
            ("", []), ("one\ntwo\r\n\r\nlast", ["one", "two", "", "last"]), ("ä€\n\u{FEFF}x", ["ä€", "\u{FEFF}x"]),
        ])
    func readers(text: String, lines: [String]) async throws {
        try await withTestServer { request, responder in
            guard request.path == "/cut" else { return try await responder.send(.ok(text)) }
            try await responder.sendHead()
            for byte in text.utf8 { try await responder.write(Bytes([byte])) }
            try await responder.finish()
        } run: { server in
            for path in ["/whole", "/cut"] {
                let url = server.url(path)
                var seen: [String] = []
                for try await line in try await client.get(url).body.lines { seen.append(line) }
                #expect(seen == lines)
                seen = []
                for try await line in try await client.get(url).body.byteLines {
                    seen.append(String(decoding: line, as: UTF8.self))
                }
                #expect(seen == lines)
                seen = []
                try await client.get(url).body.forEachLine { line in
                    seen.append(String(decoding: line.indices.map { line[$0] }, as: UTF8.self))
                }
                #expect(seen == lines)
            }
        }
    }

    @Test("lines are read while the response is still arriving")
    func live() async throws {
        let (first, second) = (TestSignal(), TestSignal())
        try await withTestServer { _, responder in
            try await responder.sendHead()
            try await responder.write("one\ntw")
            try await first.wait()
            try await responder.write("o\n")
            try await second.wait()
            try await responder.finish()
        } run: { server in
            var lines = try await client.get(server.url()).body.lines.makeAsyncIterator()
            #expect(try await lines.next() == "one")
            first.fire()
            #expect(try await lines.next() == "two")
            second.fire()
            #expect(try await lines.next() == nil)
            #expect(try await lines.next() == nil)
        }
    }

    @Test("a line beyond the limit is an error and closes the connection", arguments: [0, 1, 2])
    func endless(reader: Int) async throws {
        try await withTestServer { _, responder in
            try await responder.sendHead()
            let piece = Bytes([UInt8](repeating: 0x78, count: 64 << 10))
            do {
                // At most 100 MB, if the client reads them.
                for _ in 0..<1600 { try await responder.write(piece) }
            } catch let error as TestServerError where error.code == .disconnected {
                responder.close()
            }
        } run: { server in
            let response = try await client.get(server.url())
            let error = await #expect(throws: SockeyeError.self) {
                switch reader {
                case 0: for try await _ in response.body.lines {}
                case 1: for try await _ in response.body.byteLines(limit: 100_000) {}
                default: try await response.body.forEachLine(limit: 100_000) { _ in }
                }
            }
            #expect(error?.code == .limitExceeded)
            #expect(error?.limit?.name == "line")
            #expect(error?.limit?.configured == (reader == 0 ? "1048576 bytes" : "100000 bytes"))
            #expect(error?.url == server.url())
            // The connection closes although the response is still referenced.
            try await server.wait { $0.openConnections == 0 }
            withExtendedLifetime(response) {}
        }
    }

    @Test("after an error there are no more records, even if the body ended in the middle of one")
    func afterError() async throws {
        try await withTestServer { _, responder in
            try await responder.sendHead()
            try await responder.write("1\n12")
            responder.close()
        } run: { server in
            var lines = try await client.get(server.url()).body.lines.makeAsyncIterator()
            #expect(try await lines.next() == "1")
            await #expect(throws: SockeyeError.self) { try await lines.next() }
            #expect(try await lines.next() == nil)
            var values = try await client.get(server.url()).body.jsonLines(of: Int.self).makeAsyncIterator()
            #expect(try await values.next() == 1)
            await #expect(throws: SockeyeError.self) { try await values.next() }
            #expect(try await values.next() == nil)
        }
        var long = IncomingResponse.Body("a\nlong\nb\n".bytes).lines(limit: 3).makeAsyncIterator()
        #expect(try await long.next() == "a")
        await #expect(throws: SockeyeError.self) { try await long.next() }
        #expect(try await long.next() == nil)
    }

    @Test("an error of the closure ends the reading")
    func closureThrows() async throws {
        struct Enough: Error {}
        let body = IncomingResponse.Body("a\nb\nc\n".bytes)
        var count = 0
        await #expect(throws: Enough.self) {
            try await body.forEachLine { _ in
                count += 1
                if count == 2 { throw Enough() }
            }
        }
        #expect(count == 2)
    }

    @Test("the lines of a body can be read only once")
    func once() async throws {
        let body = IncomingResponse.Body("a\n".bytes)
        for try await line in body.lines { #expect(line == "a") }
        let error = await #expect(throws: SockeyeError.self) { for try await _ in body.lines {} }
        #expect(error?.code == .bodyConsumed)
    }
}
