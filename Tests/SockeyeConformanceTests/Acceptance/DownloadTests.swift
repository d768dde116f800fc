import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// Downloads of bodies.
@Suite struct DownloadTests {
    private let client = HTTPClient()

    @Test("download-02: read some of an endless response, then drop it", .timeLimit(.minutes(1)))
    func dropped() async throws {
        try await withTestServer { _ in
            .source(length: nil)
        } run: { server in
            for _ in 0..<3 {
                var count = 0
                for try await chunk in try await client.get(server.url()).body {
                    count += chunk.count
                    if count > 1 << 20 { break }
                }
            }
            // Drops another response without reading a byte of it.
            _ = try await client.get(server.url())
            try await server.wait { $0.connections == 4 && $0.openConnections == 0 }
            await eventually("the connection is returned") { client.pool?.statistics.leased == 0 }
        }
    }

    @Test("download-04: a consumer that reads slowly", .timeLimit(.minutes(1)))
    func slowConsumer() async throws {
        let sent = Mutex(0)
        let size = 1 << 30
        let server = try await TestServer.start { request, responder in
            try await responder.sendHead(length: size)
            while sent.withLock({ $0 }) < size {
                let piece = TestPattern.bytes(at: 0, upTo: 64 << 10)
                try await responder.write(piece)
                sent.withLock { $0 += piece.count }
            }
        }
        var iterator = try await client.get(server.url()).body.makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        // The consumer has stopped reading: the server comes to rest once the sockets' buffers are full.
        let last = await settled { sent.withLock { $0 } }
        #expect(last < 32 << 20, "the client took \(last) bytes beyond the demand of the consumer")
    }

    @Test("download-05: iterate a response body twice", .timeLimit(.minutes(1)))
    func twice() async throws {
        try await withEchoServer { server, _ in
            let response = try await client.get(server.url())
            for try await _ in response.body {}
            let error = await failure { for try await _ in response.body {} } as? SockeyeError
            #expect(error?.code == .bodyConsumed)
            #expect(await failure { try await response.text() } != nil)
        }
    }

    @Test(
        """
        download-10: collect a body with a size limit: larger by Content-Length, larger by chunks, HEAD with a large \
        length
        """, .timeLimit(.minutes(1)))
    func limited() async throws {
        try await withTestServer { request in
            request.path == "/length" ? .source(length: 10_000_000) : .source(length: nil)
        } run: { server in
            let declared = try await client.get(server.url("/length"))
            let early = await failure { try await declared.body.collect(upTo: 1000) } as? SockeyeError
            #expect(early?.code == .limitExceeded)
            // The check needed no read, so the body is still available.
            #expect(try await declared.body.collect(upTo: 10_000_000).count == 10_000_000)
            let endless = try await client.get(server.url("/endless"))
            let late = await failure { try await endless.body.collect(upTo: 1000) } as? SockeyeError
            #expect(late?.code == .limitExceeded)
            #expect(late?.limit?.configured == "1000 bytes")
            let head = try await client.head(server.url("/length"))
            #expect(try await head.body.collect(upTo: 1000).isEmpty)
            #expect(head.headers[.contentLength] == "10000000")
        }
    }

    @Test(
        "download-11: Content-Length larger than what is sent, then close", .timeLimit(.minutes(1)),
        arguments: ["Content-Length: 10\r\n\r\nhal", "Content-Length: 10\r\n\r\n"])
    func tooShort(rest: String) async throws {
        let server = try await RawServer.start(script: [.readRequest, .send("HTTP/1.1 200 OK\r\n" + rest)])
        try await expectCut(server)
    }

    @Test(
        "download-12: chunked body cut before the last chunk", .timeLimit(.minutes(1)),
        arguments: [
            "", "5", "5\r\n", "5\r\nhal", "5\r\nwhole", "5\r\nwhole\r\n", "5\r\nwhole\r\n0", "5\r\nwhole\r\n0\r\n",
        ])
    func cutChunks(rest: String) async throws {
        let server = try await RawServer.start(script: [
            .readRequest, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + rest),
        ])
        try await expectCut(server)
    }

    /// Expects that collecting fails, and iterating fails at the cut. Neither may end as if the body were complete.
    private func expectCut(_ server: RawServer) async throws {
        for collects in [true, false] {
            let response = try await client.get(server.url())
            let error = await failure {
                if collects { _ = try await response.bytes() } else { for try await _ in response.body {} }
            }
            #expect((error as? SockeyeError)?.code == .connectionClosed)
            #expect((error as? SockeyeError)?.phase == .body)
        }
    }

    @Test(
        "download-14: Accept-Encoding set by the user; set to identity; decoding switched off", .timeLimit(.minutes(1)))
    func encodings() async throws {
        // "hello" as one gzip member.
        let coded = Bytes([
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
        ])
        let log = RequestLog()
        try await withTestServer { request in
            try await log.take(request)
            return .bytes(coded).adding(.contentEncoding, "gzip")
        } run: { server in
            // As documented: a caller that sets the field gets the body unchanged, with the field that names the
            // coding.
            for headers: Headers in [[.acceptEncoding: "gzip;q=0.5"], [.acceptEncoding: "identity"]] {
                let response = try await client.get(server.url(), headers: headers)
                #expect(response.headers[.contentEncoding] == "gzip")
                #expect(try await response.bytes() == coded)
            }
            var options = OutgoingRequest.Options()
            options.decompresses = false
            let raw = try await client.get(server.url(), options: options)
            #expect(raw.headers[.contentEncoding] == "gzip" && raw.headers[.contentLength] == "\(coded.count)")
            #expect(try await raw.bytes() == coded)
            let decoded = try await client.get(server.url())
            #expect(decoded.headers[.contentEncoding] == nil && decoded.headers[.contentLength] == nil)
            #expect(try await decoded.text() == "hello")
            #expect(
                log.all.map { $0.values("accept-encoding") } == [
                    ["gzip;q=0.5"], ["identity"], [], [ContentCoding.accepted],
                ])
        }
    }
}
